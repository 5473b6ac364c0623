package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.contract.RetryContract;
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

/** The Gateway API's cases for retries, in calls to ARM: the exchange and the policies that are shipped. */
@Timeout(60)
class CallConformanceTest extends RetryContract {

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

    private AzurePools pools(RetryPolicy policy, BudgetSettings budget) {
        harness.retries = new PolicyCallRetries(policy, RetryBudget.of(budget, harness.time::nanoTime), harness.time);
        return harness.pools();
    }

    @Override
    protected int send(RetryPolicy policy, BudgetSettings budget) {
        return status(pools(policy, budget).read(SHOP_WEB));
    }

    private int status(Reply<BackendPool> reply) {
        if (reply instanceof Reply.Ok) {
            return 200;
        }
        if (harness.calls.getLast().outcome() == ArmCall.Outcome.TIMED_OUT) {
            return TIMED_OUT;
        }
        return !(failure(reply) instanceof Failure.HttpError error)
                ? NO_ANSWER
                : error.retriesEnded() == Reason.TIMED_OUT ? TIMED_OUT : error.status();
    }

    @Override
    protected List<Duration> received() {
        return List.copyOf(received);
    }

    @Override
    protected Duration passed() {
        return Duration.between(FakeTime.START, harness.time.instant());
    }

    @Override
    protected void answer(int status, int times, Duration delay) {
        for (int i = 0; i < times; i++) {
            harness.arm.then(exchange -> {
                received.add(passed());
                if (delay.isPositive()) {
                    harness.passDuringAttempt(delay);
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

    @Override
    protected void breakOff(int times) {
        for (int i = 0; i < times; i++) {
            harness.arm.then(exchange -> {
                received.add(passed());
                ScriptedArm.truncated(200, Bodies.pool()).to(exchange);
            });
        }
        wellFromNowOn();
    }

    @Test
    void a_failure_says_that_the_budget_refused_its_retry() {
        BudgetSettings none = new GatewayApi(0, ofSeconds(10), new MinRetryRate(1, ofSeconds(10)));
        answer(500, 99, ZERO);
        Reply<BackendPool> reply = pools(new RetryPolicy(Set.of(500), 9, ofMillis(20), ZERO, ZERO), none)
                .read(SHOP_WEB);
        assertThat(failure(reply)).hasFieldOrPropertyWithValue("retriesEnded", Reason.BUDGET_REFUSED);
    }

    @Test
    void a_write_is_retried_as_a_read_is() {
        RetryPolicy policy = new RetryPolicy(Set.of(503), 3, ofMillis(20), ZERO, ZERO);
        AzurePools pools = pools(policy, new BudgetSettings.Endless());
        BackendPool pool = harness.read(pools, Bodies.pool());
        answer(503, 1, ZERO);
        pools.write(pool, AddressSet.empty());
        assertThat(harness.arm.methods()).startsWith("GET", "PUT", "PUT");
    }
}
