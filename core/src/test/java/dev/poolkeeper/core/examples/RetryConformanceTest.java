package dev.poolkeeper.core.examples;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.retry.PolicyCallRetries;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Gateway API's conformance cases for retries, over real connections on the loopback interface. */
class RetryConformanceTest {

    private static final Set<Integer> ALL = Set.of(500, 502, 503, 504);

    private final FakeTime time = new FakeTime(FakeTime.START, () -> 0);
    private final LoopbackBackend backend = new LoopbackBackend(time);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() throws IOException {
        backend.close();
        client.close();
    }

    private static RetryPolicy policy(Set<Integer> codes, int attempts, Duration request, Duration backendRequest) {
        return new RetryPolicy(codes, attempts, ofMillis(20), request, backendRequest);
    }

    private int status(RetryPolicy policy) throws InterruptedException {
        return status(policy, new BudgetSettings.Endless(), "GET");
    }

    /** What a client behind a gateway would see. */
    private int status(RetryPolicy policy, BudgetSettings budget, String method) throws InterruptedException {
        RetryingHttpClient retrying = new RetryingHttpClient(
                client, new PolicyCallRetries(policy, RetryBudget.of(budget, time::nanoTime), time), time);
        HttpRequest request = HttpRequest.newBuilder(backend.uri())
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return retrying.send(request, BodyHandlers.discarding()).statusCode();
        } catch (HttpTimeoutException e) {
            return 504;
        } catch (IOException e) {
            return 503;
        }
    }

    private Duration passed() {
        return Duration.between(FakeTime.START, time.instant());
    }

    @ParameterizedTest
    @CsvSource({"500, 2, 200, 3", "500, 4, 500, 4", "503, 1, 503, 1"})
    @Rule(
            id = "P90",
            says = "Conformance HTTPRouteRetry: code 500 with three attempts succeeds after 2 failures, fails with"
                    + " 500 after 4, and 503 that is not listed is not retried.",
            source = "Gateway API conformance, httproute-retry")
    void code_500_with_three_attempts(int status, int succeedAfter, int seen, int received) throws Exception {
        backend.answer(status, succeedAfter, ZERO);
        assertThat(status(policy(Set.of(500), 3, ZERO, ZERO))).isEqualTo(seen);
        assertThat(backend.received()).hasSize(received);
    }

    @ParameterizedTest
    @CsvSource({
        "500, 1, 200",
        "502, 1, 200",
        "503, 1, 200",
        "504, 1, 200",
        "500, 3, 500",
        "502, 3, 502",
        "503, 3, 503",
        "504, 3, 504"
    })
    @Rule(
            id = "P91",
            says = "Conformance HTTPRouteRetry: with all codes and two attempts the original error surfaces after 3"
                    + " failures.",
            source = "Gateway API conformance, httproute-retry")
    void all_codes_with_two_attempts(int status, int succeedAfter, int seen) throws Exception {
        backend.answer(status, succeedAfter, ZERO);
        assertThat(status(policy(ALL, 2, ZERO, ZERO))).isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource({"2, 200", "4, 503"})
    @Rule(
            id = "P92",
            says = "Conformance HTTPRouteRetryConnectionError: with three attempts and no codes a request succeeds"
                    + " after 2 connections that break and fails with the fourth.",
            source = "Gateway API conformance, httproute-retry-connection-error")
    void connection_errors_with_three_attempts(int succeedAfter, int seen) throws Exception {
        backend.breakOff(succeedAfter);
        assertThat(status(policy(Set.of(), 3, ZERO, ZERO))).isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource({"2, 200", "3, 504"})
    @Rule(
            id = "P93",
            says = "Conformance HTTPRouteRetryBackendTimeout: with two attempts of 200 ms a request succeeds after 2"
                    + " answers that take 300 ms and times out after 3.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void attempts_that_take_too_long(int succeedAfter, int seen) throws Exception {
        backend.answer(200, succeedAfter, ofMillis(300));
        assertThat(status(policy(Set.of(500), 2, ZERO, ofMillis(200)))).isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource({"1, 200", "4, 504"})
    @Rule(
            id = "P94",
            says = "Conformance HTTPRouteRetryBackendTimeout: within a request of 400 ms and five attempts a request"
                    + " succeeds after one 500 and times out after four that take 100 ms each.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void a_request_that_takes_too_long(int succeedAfter, int seen) throws Exception {
        backend.answer(500, succeedAfter, ofMillis(100));
        assertThat(status(policy(Set.of(500), 5, ofMillis(400), ofMillis(200)))).isEqualTo(seen);
        assertThat(passed()).isLessThanOrEqualTo(ofMillis(400));
    }

    @Test
    @Rule(
            id = "P95",
            says = "Each retry comes no earlier than the backoff after the failure before it.",
            source = "GEP-1731: SupportHTTPRouteRetryBackoff")
    void retries_come_no_earlier_than_the_backoff() throws Exception {
        backend.answer(500, 2, ofMillis(50));
        assertThat(status(new RetryPolicy(Set.of(500), 2, ofMillis(100), ZERO, ofSeconds(1))))
                .isEqualTo(200);
        assertThat(backend.received()).containsExactly(ZERO, ofMillis(50 + 100), ofMillis(150 + 50 + 200));
    }

    @Test
    @Rule(
            id = "P96",
            says = "Once the budget is spent the failure at hand is returned at once, without a further attempt.",
            source = "BackendTrafficPolicy: additional retries will be rejected")
    void a_spent_budget_returns_the_failure_at_hand() throws Exception {
        backend.answer(500, 99, ZERO);
        BudgetSettings one = new GatewayApi(0, ofSeconds(10), new MinRetryRate(1, ofSeconds(10)));
        assertThat(status(policy(ALL, 9, ZERO, ZERO), one, "GET")).isEqualTo(500);
        assertThat(backend.received()).containsExactly(ZERO, ofMillis(20));
        assertThat(passed()).isEqualTo(ofMillis(20));
    }

    @Test
    @Rule(
            id = "P97",
            says = "Calls that are not idempotent are not retried; GET and PUT, which is all that Poolkeeper sends to"
                    + " change a pool, are.",
            source = "Linkerd 2.2 retries, Marking a route as retryable")
    void what_is_not_idempotent_is_not_retried() throws Exception {
        backend.answer(503, 1, ZERO);
        assertThat(status(policy(ALL, 3, ZERO, ZERO), new BudgetSettings.Endless(), "POST"))
                .isEqualTo(503);
        backend.answer(503, 1, ZERO);
        assertThat(status(policy(ALL, 3, ZERO, ZERO), new BudgetSettings.Endless(), "PUT"))
                .isEqualTo(200);
    }

    @Test
    void the_page_shows_this_very_class() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/poolkeeper/core/examples/RetryingHttpClient.java"));
        assertThat(Path.of("../docs/retry-for-any-client.md")).content().contains("```java\n" + source + "```");
    }
}
