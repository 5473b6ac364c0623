package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Malformed responses of backends, byte by byte. */
@Timeout(60)
class HostileAnswersTest {

    @TempDir
    private Path folder;

    private VirtualGateway gateway(RawBackend backend) throws Exception {
        Path routes = Files.writeString(folder.resolve("routes.yaml"), GatewayFixture.ROUTE);
        return new VirtualGateway(new FakeTime(), List.of(routes), backend.as("web"));
    }

    private static String crlf(String bytes) {
        return bytes.replace("|", "\r\n");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(textBlock = """
        HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3||abc,                              502
        HTTP/1.1 200 OK|Content-Length: 3|Transfer-Encoding: chunked||3|abc|0||,               502
        HTTP/1.1 200 OK|Transfer-Encoding: chunked|Transfer-Encoding: chunked||3|abc|0||,      502
        HTTP/1.1 200 OK|Transfer-Encoding: gzip||abc,                                          502
        HTTP/1.1 200 OK|Content-Length: +3||abc,                                               502
        HTTP/1.1 200 OK|Content-Length: -3||abc,                                               502
        HTTP/1.1 200 OK|X: a\u0001b|Content-Length: 0||,                                       502
        HTTP/1.1 101 Switching Protocols|Upgrade: x|Connection: upgrade||,                     502
        HTTP/1.1 20 OK||,                                                                      502
        SSH-2.0-OpenSSH_9.9||,                                                                 502
        HTTP/1.1 204 No Content|Content-Length: 5||hello,                                      204
        HTTP/1.1 200 OK|Content-Length: 10||abc,                                               503
        HTTP/1.1 200 OK|Content-Le,                                                            503
        HTTP/1.1 304 Not Modified|Content-Length: 500||,                                       304
        HTTP/1.1 304 Not Modified|Content-Length: 5||hello,                                    304
        HTTP/1.1 204 No Content||,                                                             204
        HTTP/1.1 103 Early Hints|Link: </a>||HTTP/1.1 200 OK|Content-Length: 0||,              200
        HTTP/1.0 200 OK||abc,                                                                  200
        HTTP/1.1 200 OK|TRANSFER-ENCODING: CHUNKED||3|abc|0||,                                 200
        """)
    @Rule(
            id = "P114",
            says = "retry-gateway responds with 502 if a backend's response is not HTTP or its end is ambiguous, and"
                    + " with 503 if it breaks off.",
            source = "RFC 9112, section 6.3")
    void a_malformed_response_is_not_forwarded(String answer, int status) throws Exception {
        try (RawBackend backend = new RawBackend(crlf(answer), true);
                VirtualGateway gateway = gateway(backend)) {
            assertThat(gateway.get("/").statusCode()).isEqualTo(status);
        }
    }

    @Test
    @Rule(
            id = "P115",
            says = "Bytes that a backend sends after its response are never part of another response.",
            source = "RFC 9112, section 11.1")
    void bytes_after_a_response_are_discarded() throws Exception {
        String twice = crlf("HTTP/1.1 200 OK|Content-Length: 2||okHTTP/1.1 200 OK|Content-Length: 4||evil");
        try (RawBackend backend = new RawBackend(twice, false);
                VirtualGateway gateway = gateway(backend)) {
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.get("/").body())
                        .isIn("ok", "the backend closed the connection before it responded\n");
            }
        }
    }

    @Test
    void trailers_of_a_response_are_dropped() throws Exception {
        String answer = crlf("HTTP/1.1 200 OK|Transfer-Encoding: chunked|Trailer: X-Sum||3|abc|2|de|0|X-Sum: 1||");
        try (RawBackend backend = new RawBackend(answer, false);
                VirtualGateway gateway = gateway(backend)) {
            HttpResponse<String> first = gateway.get("/");
            assertThat(first.body()).isEqualTo("abcde");
            assertThat(first.headers().map()).doesNotContainKeys("x-sum", "trailer");
            assertThat(gateway.get("/").body()).isEqualTo("abcde");
        }
    }
}
