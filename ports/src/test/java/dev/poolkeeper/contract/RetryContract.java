package dev.poolkeeper.contract;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The Gateway API's conformance cases for retries, for any implementation of a {@link RetryPolicy}: over real
 * connections, on a clock controlled by the test.
 */
public abstract class RetryContract {

    /** The result of {@link #send} if the connection broke without a response. */
    protected static final int NO_ANSWER = 503;

    /** The result of {@link #send} if an attempt or the request timed out. */
    protected static final int TIMED_OUT = 504;

    private static final Set<Integer> ALL = Set.of(500, 502, 503, 504);

    /**
     * The backend answers the next requests with these statuses, each after a delay on the clock; all others
     * immediately with 200.
     */
    protected abstract void answer(int status, int times, Duration delay);

    /** The backend breaks the connection during its next responses; all others are 200. */
    protected abstract void breakOff(int times);

    /** When the backend received requests, since time began. */
    protected abstract List<Duration> received();

    /** How much time has passed. */
    protected abstract Duration passed();

    /** The status that the sender sees when the budget refuses to retry a failure; by default that failure. */
    protected int overBudget(int failure) {
        return failure;
    }

    /** Sends one request under this policy, and returns the status that its sender sees. */
    protected abstract int send(RetryPolicy policy, BudgetSettings budget) throws Exception;

    private int send(Set<Integer> codes, int attempts, Duration request, Duration backendRequest) throws Exception {
        return send(
                new RetryPolicy(codes, attempts, ofMillis(20), request, backendRequest), new BudgetSettings.Endless());
    }

    @ParameterizedTest
    @CsvSource({"500, 2, 200, 3", "500, 4, 500, 4", "503, 1, 503, 1"})
    @Rule(
            id = "P90",
            says = "Conformance HTTPRouteRetry: code 500 with three attempts succeeds after 2 failures, fails with"
                    + " 500 after 4, and 503 that is not listed is not retried.",
            source = "Gateway API conformance, httproute-retry")
    void code_500_with_three_attempts(int status, int failures, int seen, int requests) throws Exception {
        answer(status, failures, ZERO);
        assertThat(send(Set.of(500), 3, ZERO, ZERO)).isEqualTo(seen);
        assertThat(received()).hasSize(requests);
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
    void all_codes_with_two_attempts(int status, int failures, int seen) throws Exception {
        answer(status, failures, ZERO);
        assertThat(send(ALL, 2, ZERO, ZERO)).isEqualTo(seen);
        assertThat(received()).hasSize(Math.min(failures + 1, 3));
    }

    @ParameterizedTest
    @CsvSource({"2, 200, 3", "4, 503, 4"})
    @Rule(
            id = "P92",
            says = "Conformance HTTPRouteRetryConnectionError: with three attempts and no codes a request succeeds"
                    + " after 2 broken connections and fails with the fourth.",
            source = "Gateway API conformance, httproute-retry-connection-error")
    void connection_errors_with_three_attempts(int failures, int seen, int requests) throws Exception {
        breakOff(failures);
        assertThat(send(Set.of(), 3, ZERO, ZERO)).isEqualTo(seen);
        assertThat(received()).hasSize(requests);
    }

    @ParameterizedTest
    @CsvSource({"2, 200", "3, 504"})
    @Rule(
            id = "P93",
            says = "Conformance HTTPRouteRetryBackendTimeout: with two attempts of 200 ms a request succeeds after 2"
                    + " responses that take 300 ms and times out after 3.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void attempts_that_take_too_long(int slow, int seen) throws Exception {
        answer(200, slow, ofMillis(300));
        assertThat(send(Set.of(500), 2, ZERO, ofMillis(200))).isEqualTo(seen);
        assertThat(received()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"1, 200", "4, 504"})
    @Rule(
            id = "P94",
            says = "Conformance HTTPRouteRetryBackendTimeout: within a request of 400 ms and five attempts a request"
                    + " succeeds after one 500 and times out after four that take 100 ms each.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void a_request_that_takes_too_long(int failures, int seen) throws Exception {
        answer(500, failures, ofMillis(100));
        assertThat(send(Set.of(500), 5, ofMillis(400), ofMillis(200))).isEqualTo(seen);
        assertThat(passed()).isLessThanOrEqualTo(ofMillis(400));
    }

    @Test
    @Rule(
            id = "P95",
            says = "Each retry is sent no earlier than the backoff after the previous failure.",
            source = "GEP-1731: SupportHTTPRouteRetryBackoff")
    void retries_come_no_earlier_than_the_backoff() throws Exception {
        RetryPolicy policy = new RetryPolicy(Set.of(500), 2, ofMillis(100), ZERO, ofSeconds(1));
        answer(500, 2, ofMillis(50));
        assertThat(send(policy, new BudgetSettings.Endless())).isEqualTo(200);
        assertThat(received()).containsExactly(ZERO, ofMillis(50 + 100), ofMillis(150 + 50 + 200));
    }

    @Test
    @Rule(
            id = "P96",
            says = "Once the budget is exhausted there is no further attempt: the last failure is returned"
                    + " immediately, by retry-gateway as 503.",
            source = "BackendTrafficPolicy: additional retries will be rejected")
    void an_exhausted_budget_returns_the_last_failure() throws Exception {
        RetryPolicy policy = new RetryPolicy(ALL, 9, ofMillis(20), ZERO, ZERO);
        answer(500, 99, ZERO);
        assertThat(send(policy, new GatewayApi(0, ofSeconds(10), new MinRetryRate(1, ofSeconds(10)))))
                .isEqualTo(overBudget(500));
        assertThat(received()).containsExactly(ZERO, ofMillis(20));
        assertThat(passed()).isEqualTo(ofMillis(20));
    }
}
