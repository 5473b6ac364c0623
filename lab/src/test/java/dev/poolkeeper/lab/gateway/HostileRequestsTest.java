package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.gateway.TestBackend.Received;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests by hand, byte by byte. Lines end with a | here. */
@Timeout(60)
class HostileRequestsTest {

    @TempDir
    private Path folder;

    private static String crlf(String bytes) {
        return bytes.replace("|", "\r\n");
    }

    /** The first line of the response; empty if the connection is closed without one. */
    private static String answer(GatewayFixture world, String request) {
        try {
            return world.raw(crlf(request));
        } catch (IOException e) {
            return "";
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '~', textBlock = """
        GET /caf\u00e9 HTTP/1.1|Host: a||                                                       ~ 400
        GET /a#b HTTP/1.1|Host: a||                                                             ~ 400
        GET /%zz HTTP/1.1|Host: a||                                                             ~ 400
        GET /a\\b HTTP/1.1|Host: a||                                                            ~ 400
        GET /a%2f..%2fadmin HTTP/1.1|Host: a||                                                  ~ 400
        GET /a%5C%2e%2e/admin HTTP/1.1|Host: a||                                                ~ 400
        GET /a/..;x=y/admin HTTP/1.1|Host: a||                                                  ~ 400
        GET /.. HTTP/1.1|Host: a||                                                              ~ 400
        GET /. HTTP/1.1|Host: a||                                                               ~ 400
        GET /a/.. HTTP/1.1|Host: a||                                                            ~ 400
        GET /a/./b HTTP/1.1|Host: a||                                                           ~ 400
        GET /a/%2E HTTP/1.1|Host: a||                                                           ~ 400
        GET /a/%2e%2e HTTP/1.1|Host: a||                                                        ~ 400
        GET /a/.%2E/b HTTP/1.1|Host: a||                                                        ~ 400
        GET /a%2F%2e%2Fb HTTP/1.1|Host: a||                                                     ~ 400
        GET /a/..%2Fb HTTP/1.1|Host: a||                                                        ~ 400
        GET /a/..%5cb HTTP/1.1|Host: a||                                                        ~ 400
        GET /a%5C..%5Cb HTTP/1.1|Host: a||                                                      ~ 400
        GET /a/..;/b HTTP/1.1|Host: a||                                                         ~ 400
        GET /a/.;x HTTP/1.1|Host: a||                                                           ~ 400
        GET /a/..%3Bx/b HTTP/1.1|Host: a||                                                      ~ 400
        GET /a/.%3b HTTP/1.1|Host: a||                                                          ~ 400
        GET https://a/ HTTP/1.1|Host: a||                                                       ~ 400
        GET ftp://a/ HTTP/1.1|Host: a||                                                         ~ 400
        GET http://user@a/ HTTP/1.1|Host: a||                                                   ~ 400
        GET http://a/ HTTP/1.1||                                                                ~ 400
        GET / HTTP/1.1|Host: user@a||                                                           ~ 400
        GET / HTTP/1.1|Host: a:123456||                                                         ~ 400
        GET / HTTP/1.1|Host: a/b||                                                              ~ 400
        GET / HTTP/1.1| Host: a||                                                               ~ 400
        GET / HTTP/1.1|Host: a|no colon||                                                       ~ 400
        GET / HTTP/1.1|Host: a|: no name||                                                      ~ 400
        GET / HTTP/1.1|Host: a|X: a\u0000b||                                                    ~ 400
        G@T / HTTP/1.1|Host: a||                                                                ~ 400
        |||GET / HTTP/1.1|Host: a||                                                             ~ 400
        GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG / HTTP/1.1|Host: a||  ~ 400
        GET /|                                                                                  ~ 400
        POST / HTTP/1.0|Host: a|Transfer-Encoding: chunked||3|abc|0||                           ~ 400
        POST / HTTP/1.1|Host: a|Content-Length:||                                               ~ 400
        POST / HTTP/1.1|Host: a|Content-Length: 99999999999999999999||                          ~ 400
        POST / HTTP/1.1|Host: a|Content-Length: 10||abc                                         ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: identity|Content-Length: 3||abc              ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||xyz|abc|0||                         ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||-3|abc|0||                          ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||0x3|abc|0||                         ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||80000000|abc|0||                    ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||FFFFFFFFFFFFFFFFF|abc|0||           ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||3|abcX|0||                          ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||5|abc                               ~ 400
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|Trailer: X||3|abc|0|X: y||           ~ 400
        POST / HTTP/1.1|Host: a|Content-Length: 2147483648||                                    ~ 413
        GET / HTTP/1.2|Host: a||                                                                ~ 505
        GET / HTTP/2.0|Host: a||                                                                ~ 505
        CONNECT / HTTP/1.1|Host: a||                                                            ~ 501
        OPTIONS * HTTP/1.1|Host: a||                                                            ~ 404
        """)
    @Rule(
            id = "P116",
            says = "retry-gateway refuses a target that is not ASCII, has a fragment, another scheme or hidden dot"
                    + " segments, an invalid host, chunks in HTTP/1.0, and a body that contradicts its framing or"
                    + " ends in trailers.",
            source = "RFC 9112, sections 3, 6 and 7")
    void a_bad_request_is_refused(String request, int status) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(answer(world, request)).startsWith("HTTP/1.1 " + status + " ");
            assertThat(world.backend.received()).isEmpty();
            assertThat(world.get("/").statusCode()).isEqualTo(200);
        }
    }

    static Stream<Arguments> heads() {
        String fields = IntStream.range(0, 200).mapToObj(i -> "X-" + i + ": 1|").collect(Collectors.joining());
        return Stream.of(
                Arguments.of("a long field", "GET / HTTP/1.1|Host: a|X: " + "x".repeat(70_000) + "||"),
                Arguments.of("a long target", "GET /" + "x".repeat(100_000) + " HTTP/1.1|Host: a||"),
                Arguments.of("many fields", "GET / HTTP/1.1|Host: a|" + fields + "|"),
                Arguments.of("an opaque target", "GET mailto:a@b HTTP/1.1|Host: a||"),
                Arguments.of("a tunnel", "CONNECT a:443 HTTP/1.1|Host: a||"),
                Arguments.of("bare line feeds", "GET / HTTP/1.1\nHost: a\n\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heads")
    @Rule(
            id = "P117",
            says = "retry-gateway refuses heads beyond 64 KiB or 128 fields, or closes the connection, and forwards"
                    + " nothing.",
            source = "ours")
    void a_request_head_that_the_server_rejects_is_not_forwarded(String name, String request) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(answer(world, request)).doesNotStartWith("HTTP/1.1 2");
            assertThat(world.backend.received()).isEmpty();
            assertThat(world.get("/").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"127, 200", "128, 431"})
    void a_head_has_at_most_128_fields(int besidesHost, int status) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(answer(world, "GET / HTTP/1.1|Host: a|" + "X: 1|".repeat(besidesHost) + "|"))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', textBlock = """
        GET /x HTTP/1.1|Host: a|X-Seen: a| b||                                     ~ a b       ~ a
        GET http://B.example:80/x HTTP/1.1|Host: a|X-Seen: absolute||              ~ absolute  ~ B.example:80
        GET HTTP://B.example/x HTTP/1.1|Host: a|X-Seen: scheme||                   ~ scheme    ~ B.example
        GET Http://[::1]:80/x HTTP/1.0|X-Seen: old||                               ~ old       ~ [::1]:80
        GET /x HTTP/1.0|Host: a|X-Seen: old||                                      ~ old       ~ a
        GET /x HTTP/1.1|Host: [::1]:80|X-Seen: v6||                                ~ v6        ~ [::1]:80
        POST /x HTTP/1.1|Host: a|Content-Length:|  3|X-Seen: folded||abc           ~ folded    ~ a
        POST /x HTTP/1.1|Host: a|Transfer-Encoding: Chunked|X-Seen: c||3;e=1|abc|0|| ~ c       ~ a
        GET /x HTTP/1.1|Host: a|Connection: host, x-a|X-A: 1|X-Seen: options||     ~ options   ~ a
        ||GET /x HTTP/1.1|Host: a|X-Seen: empty lines||                            ~ empty lines ~ a
        """)
    void an_unambiguous_request_is_forwarded_in_canonical_form(String request, String seen, String host)
            throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(answer(world, request)).startsWith("HTTP/1.1 200 ");
            Received received = world.backend.received().get(0);
            assertThat(received.target()).isEqualTo("/x");
            assertThat(received.headers().get("X-Seen")).containsExactly(seen);
            assertThat(received.headers().get("Host")).containsExactly(host);
            assertThat(received.headers()).doesNotContainKeys("Transfer-encoding", "X-A");
            assertThat(received.headers().getOrDefault("Content-length", List.of()))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /x HTTP/1.0||",
                "GET /x HTTP/1.0|Host:||",
                "GET /x HTTP/1.1|Host:||",
                "GET /x HTTP/1.1|Host: |Connection: host||"
            })
    void a_request_for_no_host_is_forwarded_under_the_backends_name(String request) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(answer(world, request)).startsWith("HTTP/1.1 200 ");
            assertThat(world.backend.received().get(0).headers().get("Host"))
                    .containsExactly(world.backend.as("web").authority());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Expect: 100-continue", "expect: 100-Continue", "EXPECT: 100-CONTINUE", "Expect:100-Continue "})
    void a_client_that_expects_100_continue_receives_it(String expect) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE);
                Socket socket = world.connected()) {
            socket.setSoTimeout(10_000); // or it would wait for ever
            write(socket, "POST / HTTP/1.1|Host: a|" + expect + "|Content-Length: 3||");
            assertThat(line(socket)).startsWith("HTTP/1.1 100 ");
            write(socket, "abc");
            String rest = line(socket);
            while (!rest.startsWith("HTTP/1.1 ")) {
                rest = line(socket);
            }
            assertThat(rest).startsWith("HTTP/1.1 200 ");
            Received received = world.backend.received().get(0);
            assertThat(received.body()).asString(StandardCharsets.US_ASCII).isEqualTo("abc");
            assertThat(received.headers()).doesNotContainKey("Expect");
        }
    }

    @Test
    void a_body_that_is_too_large_is_refused_before_it_is_sent() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE);
                Socket socket = world.connected()) {
            write(socket, "POST / HTTP/1.1|Host: a|Content-Length: 2147483648||");
            assertThat(line(socket)).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void slow_clients_do_not_delay_others() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE);
                Socket head = world.connected();
                Socket body = world.connected();
                Socket reader = world.connected()) {
            write(head, "GET / HTTP/1.1|Ho");
            write(body, "POST / HTTP/1.1|Host: a|Content-Length: 6||abc");
            write(reader, "GET / HTTP/1.1|Host: a||".repeat(500));
            for (int i = 0; i < 20; i++) {
                assertThat(world.get("/").statusCode()).isEqualTo(200);
            }
            write(head, "st: a||");
            write(body, "def");
            assertThat(line(head)).startsWith("HTTP/1.1 200 ");
            assertThat(line(body)).startsWith("HTTP/1.1 200 ");
            assertThat(line(reader)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void a_response_to_head_has_the_length_and_no_body() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            world.backend.answersAll(number -> exchange -> {
                exchange.getResponseHeaders().set("Content-Length", "500");
                exchange.sendResponseHeaders(200, -1);
            });
            HttpResponse<String> answer = world.send("HEAD", "/", BodyPublishers.noBody());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers().firstValue("Content-Length")).contains("500");
            HttpResponse<String> own = world.send("HEAD", "/a/../b", BodyPublishers.noBody());
            assertThat(own.statusCode()).isEqualTo(400);
            assertThat(own.body()).isEmpty();
        }
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(crlf(bytes).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String line(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next >= 0 && next != '\n';
                next = socket.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
