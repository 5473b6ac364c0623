package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.attempts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each case of the Gateway API's conformance tests for retries, with the manifests as they are upstream. */
@Timeout(60)
class UpstreamCasesTest {

    private final FakeTime time = new FakeTime();
    private final EchoBackend echo = new EchoBackend(time);
    private final TestBackend backend = new TestBackend();

    UpstreamCasesTest() throws Exception {}

    @AfterEach
    void close() {
        backend.close();
    }

    @ParameterizedTest(name = "{0}?{1}: {2} after {3}")
    @CsvSource({
        "code-500-attempts-3, responseCode=500&succeedAfter=2, 200, 3",
        "code-500-attempts-3, responseCode=500&succeedAfter=4, 500, 4",
        "code-500-attempts-3, responseCode=503&succeedAfter=2, 503, 1",
        "code-all-attempts-2, responseCode=500&succeedAfter=1, 200, 2",
        "code-all-attempts-2, responseCode=500&succeedAfter=3, 500, 3",
        "code-all-attempts-2, responseCode=502&succeedAfter=1, 200, 2",
        "code-all-attempts-2, responseCode=502&succeedAfter=3, 502, 3",
        "code-all-attempts-2, responseCode=503&succeedAfter=1, 200, 2",
        "code-all-attempts-2, responseCode=503&succeedAfter=3, 503, 3",
        "code-all-attempts-2, responseCode=504&succeedAfter=1, 200, 2",
        "code-all-attempts-2, responseCode=504&succeedAfter=3, 504, 3",
        "no-status-code-attempts-3, succeedAfter=2, 200, 3",
        "no-status-code-attempts-3, succeedAfter=4, 503, 4", // upstream: 500 or 503
        "backend-request-timeout-200ms, responseCode=500&succeedAfter=2&delayRetry=300ms, 200, 3",
        "backend-request-timeout-200ms, responseCode=500&succeedAfter=3&delayRetry=300ms, 504, 3",
        "request-timeout-200ms, responseCode=500&succeedAfter=1, 200, 2",
        "request-timeout-200ms, responseCode=500&succeedAfter=4&delayRetry=100ms, 504, 3"
    })
    @Rule(
            id = "P100",
            says = "retry-gateway passes each case of the Gateway API's conformance tests for retries, with their"
                    + " manifests unchanged; x-poolkeeper-attempts is the number of attempts that were sent.",
            source = "Gateway API conformance, httproute-retry, -connection-error, -with-timeouts")
    void each_case_passes_with_the_manifests_as_they_are(String path, String query, int seen, int sent)
            throws Exception {
        backend.answersAll(number -> echo);
        try (VirtualGateway gateway = new VirtualGateway(time, manifests(), backend.as("infra-backend-v3"))) {
            assertThat(gateway.notes).isEmpty();
            HttpResponse<String> answer = gateway.get("/retry/" + path + "?uuid=a&" + query);
            assertThat(answer.statusCode()).isEqualTo(seen);
            assertThat(attempts(answer)).isEqualTo(Integer.toString(sent));
            assertThat(echo.requests("a")).isEqualTo(sent);
        }
    }

    private static List<Path> manifests() {
        return Stream.of("httproute-retry", "httproute-retry-connection-error", "httproute-retry-with-timeouts")
                .map(name -> resource("upstream/" + name + ".yaml"))
                .toList();
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(UpstreamCasesTest.class.getResource(name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
