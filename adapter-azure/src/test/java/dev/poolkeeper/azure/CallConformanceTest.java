package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.retry.PolicyCallRetries;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Gateway API's conformance cases for retries, in calls to ARM: the exchange and the policies that are shipped. */
@Timeout(60)
class CallConformanceTest {

    private static final Set<Integer> ALL = Set.of(500, 502, 503, 504);

    private final List<Duration> received = Collections.synchronizedList(new ArrayList<>());
    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.time.willDraw(0);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static RetryPolicy policy(Set<Integer> codes, int attempts, Duration request, Duration backendRequest) {
        return new RetryPolicy(codes, attempts, ofMillis(20), request, backendRequest);
    }

    private Reply<BackendPool> read(RetryPolicy policy) {
        return read(policy, new BudgetSettings.Endless());
    }

    private Reply<BackendPool> read(RetryPolicy policy, BudgetSettings budget) {
        return pools(policy, budget).read(SHOP_WEB);
    }

    private AzurePools pools(RetryPolicy policy, BudgetSettings budget) {
        harness.retries = new PolicyCallRetries(policy, RetryBudget.of(budget, harness.time::nanoTime), harness.time);
        return harness.pools();
    }

    private Duration passed() {
        return Duration.between(FakeTime.START, harness.time.instant());
    }

    /** The next requests are answered so, each after a delay; all others well, and at once. */
    private void answer(int status, int times, Duration delay) {
        for (int i = 0; i < times; i++) {
            harness.arm.then(exchange -> {
                received.add(passed());
                if (delay.isPositive()) {
                    awaitTheLimit();
                    harness.time.advance(delay);
                }
                ScriptedArm.answer(status, status == 200 ? Bodies.pool() : "").to(exchange);
            });
        }
        wellFromNowOn();
    }

    private void wellFromNowOn() {
        harness.arm.otherwise(asked -> exchange -> {
            received.add(passed());
            ScriptedArm.answer(200, Bodies.pool()).to(exchange);
        });
    }

    /** The attempt is timed from when the caller waits for it, which may be later than its arrival. */
    private void awaitTheLimit() {
        try {
            harness.time.awaitPending(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertStatus(Reply<BackendPool> reply, int status) {
        switch (reply) {
            case Reply.Ok<BackendPool> ok -> assertThat(200).isEqualTo(status);
            case Reply.Failed<BackendPool>(Failure failure) ->
                assertThat(failure)
                        .isInstanceOfSatisfying(
                                Failure.HttpError.class,
                                error -> assertThat(error.status()).isEqualTo(status));
        }
    }

    @ParameterizedTest
    @CsvSource({"500, 2, 200, 3", "500, 4, 500, 4", "503, 1, 503, 1"})
    @Rule(
            id = "P90",
            says = "Conformance HTTPRouteRetry: code 500 with three attempts succeeds after 2 failures, fails with"
                    + " 500 after 4, and 503 that is not listed is not retried.",
            source = "Gateway API conformance, httproute-retry")
    void code_500_with_three_attempts(int status, int failures, int seen, int requests) {
        answer(status, failures, ZERO);
        assertStatus(read(policy(Set.of(500), 3, ZERO, ZERO)), seen);
        assertThat(received).hasSize(requests);
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
    void all_codes_with_two_attempts(int status, int failures, int seen) {
        answer(status, failures, ZERO);
        assertStatus(read(policy(ALL, 2, ZERO, ZERO)), seen);
    }

    @ParameterizedTest
    @CsvSource({"2, true, 3", "4, false, 4"})
    @Rule(
            id = "P92",
            says = "Conformance HTTPRouteRetryConnectionError: with three attempts and no codes a request succeeds"
                    + " after 2 connections that break and fails with the fourth.",
            source = "Gateway API conformance, httproute-retry-connection-error")
    void connection_errors_with_three_attempts(int failures, boolean succeeds, int requests) {
        for (int i = 0; i < failures; i++) {
            harness.arm.then(exchange -> {
                received.add(passed());
                ScriptedArm.truncated(200, Bodies.pool()).to(exchange);
            });
        }
        wellFromNowOn();
        Reply<BackendPool> reply = read(policy(Set.of(), 3, ZERO, ZERO));
        assertThat(reply instanceof Reply.Ok).isEqualTo(succeeds);
        assertThat(received).hasSize(requests);
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, false"})
    @Rule(
            id = "P93",
            says = "Conformance HTTPRouteRetryBackendTimeout: with two attempts of 200 ms a request succeeds after 2"
                    + " answers that take 300 ms and times out after 3.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void attempts_that_take_too_long(int slow, boolean succeeds) {
        answer(200, slow, ofMillis(300));
        Reply<BackendPool> reply = read(policy(Set.of(500), 2, ZERO, ofMillis(200)));
        assertThat(reply instanceof Reply.Ok).isEqualTo(succeeds);
        if (!succeeds) {
            assertThat(failure(reply).describe()).contains("no answer from Azure within");
        }
        assertThat(received).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "4, false"})
    @Rule(
            id = "P94",
            says = "Conformance HTTPRouteRetryBackendTimeout: within a request of 400 ms and five attempts a request"
                    + " succeeds after one 500 and times out after four that take 100 ms each.",
            source = "Gateway API conformance, httproute-retry-with-timeouts")
    void a_request_that_takes_too_long(int failures, boolean succeeds) {
        answer(500, failures, ofMillis(100));
        Reply<BackendPool> reply = read(policy(Set.of(500), 5, ofMillis(400), ofMillis(200)));
        assertThat(reply instanceof Reply.Ok).isEqualTo(succeeds);
        if (!succeeds) {
            assertThat(failure(reply).describe()).contains("not retried: the request timeout is used up");
        }
        assertThat(passed()).isLessThanOrEqualTo(ofMillis(400));
    }

    @Test
    @Rule(
            id = "P95",
            says = "Each retry comes no earlier than the backoff after the failure before it.",
            source = "GEP-1731: SupportHTTPRouteRetryBackoff")
    void retries_come_no_earlier_than_the_backoff() {
        answer(500, 2, ofMillis(50));
        assertStatus(read(new RetryPolicy(Set.of(500), 2, ofMillis(100), ZERO, ZERO)), 200);
        assertThat(received).containsExactly(ZERO, ofMillis(50 + 100), ofMillis(150 + 50 + 200));
    }

    @Test
    @Rule(
            id = "P96",
            says = "Once the budget is spent the failure at hand is returned at once, without a further attempt.",
            source = "BackendTrafficPolicy: additional retries will be rejected")
    void a_spent_budget_returns_the_failure_at_hand() {
        BudgetSettings one = new GatewayApi(0, ofSeconds(10), new MinRetryRate(1, ofSeconds(10)));
        answer(500, 99, ZERO);
        Reply<BackendPool> reply = read(policy(ALL, 9, ZERO, ZERO), one);
        assertStatus(reply, 500);
        assertThat(failure(reply)).hasFieldOrPropertyWithValue("retriesEnded", Reason.BUDGET_REFUSED);
        assertThat(received).containsExactly(ZERO, ofMillis(20));
        assertThat(passed()).isEqualTo(ofMillis(20));
    }

    @Test
    void a_write_is_retried_as_a_read_is() {
        AzurePools pools = pools(policy(ALL, 3, ZERO, ZERO), new BudgetSettings.Endless());
        BackendPool pool = harness.read(pools, Bodies.pool());
        answer(503, 1, ZERO);
        pools.write(pool, AddressSet.empty());
        assertThat(harness.arm.methods()).startsWith("GET", "PUT", "PUT");
    }
}
