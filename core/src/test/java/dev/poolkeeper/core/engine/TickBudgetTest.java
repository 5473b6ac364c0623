package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A configured retry budget across ticks. */
class TickBudgetTest {

    /** Counts, and admits as many retries as the test sets. */
    private static final class ScriptedBudget implements RetryBudget {
        int deposits;
        int withdrawals;
        int retriesEnded;
        int exchangesEnded;
        int left;

        /** Whether a retry that ended makes room for another. */
        boolean isOfRetriesInProgress;

        @Override
        public InProgress deposit() {
            deposits++;
            return () -> exchangesEnded++;
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            if (left == 0) {
                return Optional.empty();
            }
            left--;
            withdrawals++;
            return Optional.of(() -> {
                retriesEnded++;
                left += isOfRetriesInProgress ? 1 : 0;
            });
        }

        @Override
        public OptionalLong balance() {
            return OptionalLong.of(left);
        }
    }

    private final ScriptedBudget budget = new ScriptedBudget();

    /** As Envoy's has by default: api/envoy/config/cluster/v3/circuit_breaker.proto. */
    private void admitThreeAtOnce() {
        budget.isOfRetriesInProgress = true;
        budget.left = 3;
    }

    private static UpdateFixture fixture(UpdateModel model, RetryBudget budget) {
        return new UpdateFixture(
                EngineSettings.REFERENCE.withModel(model),
                builder -> builder.budgetAcrossTicks(budget),
                UnaryOperator.identity());
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P60",
            says = "A retried group withdraws before it is sent. If refused, it stays queued without a call or"
                    + " a counted attempt, but with a metric; its Services get one Held event until the budget"
                    + " admits it.",
            source = "ours")
    void a_refused_group_stays_queued_and_is_reported_once(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model, budget);
        f.fault(FaultRule.always(409).forMethod("PUT").times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        // when
        f.ticks(5);
        // then
        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web HELD");
        assertThat(f.status(POOL).difference().orElseThrow().why())
                .isInstanceOfSatisfying(
                        Why.OnHold.class, why -> assertThat(why.held().by()).isEqualTo(HoldCause.By.RETRY_BUDGET));
        assertThat(f.counted()).containsExactly(0L, 0L, 1L);
        assertThat(f.metrics.retriesRefused()).isEqualTo(5);
        // when
        budget.left = 1;
        f.tick();
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web HELD", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    void an_admitted_retry_that_failed_is_no_longer_reported_as_held(UpdateModel model) {
        UpdateFixture f = fixture(model, budget);
        f.fault(FaultRule.always(409).times(2));
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(2);

        budget.left = 1;
        f.tick();

        assertThat(f.calls()).containsExactly("GET 409", "GET 409");
        assertThat(f.status(POOL).difference())
                .get()
                .extracting(Difference::reason)
                .isEqualTo(Difference.Reason.RETRYING);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P61",
            says = "A fresh group deposits once when it is sent, a retried one never; the calls of a retried"
                    + " group are marked as retries for the layers below.",
            source = "ours")
    void a_fresh_group_deposits_and_a_retried_one_does_not(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model, budget);
        f.fault(FaultRule.always(409).forMethod("PUT").times(1));
        budget.left = 1;
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(2);
        // then
        assertThat(budget.deposits).isEqualTo(1);
        assertThat(budget.withdrawals).isEqualTo(1);
        assertThat(f.contexts).extracting(CallContext::isRetry).containsExactly(false, false, true, true);
    }

    @ParameterizedTest
    @EnumSource
    void a_parked_group_and_one_without_the_lock_neither_deposit_nor_withdraw(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model, budget);
        f.fault(FaultRule.always(429)
                .retryAfter(UpdateFixture.INTERVAL.multipliedBy(3))
                .times(1));
        budget.left = 5;
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(3);
        f.resourceLock.takeAway();
        f.tick();
        // then
        assertThat(budget.deposits).isEqualTo(1);
        assertThat(budget.withdrawals).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P64",
            says = "Whatever an update deposits in the budget or withdraws from it is returned when the update ends,"
                    + " also when a call or an observer throws.",
            source = "Envoy, RetryBudget: concurrent retries")
    void a_withdrawal_is_closed_when_the_update_ends(UpdateModel model) {
        UpdateFixture f = fixture(model, budget);
        budget.left = 3;
        f.fault(FaultRule.always(409));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(6);

        assertThat(f.reasons()).endsWith("shop/web FAILED");
        assertThat(budget.withdrawals).isEqualTo(3);
        assertThat(budget.retriesEnded).isEqualTo(3);
        assertThat(budget.exchangesEnded).isEqualTo(1);
    }

    @Test
    void a_budget_of_three_at_once_serves_any_number_of_retries_one_after_another() {
        // given
        admitThreeAtOnce();
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE, budget);
        f.fault(FaultRule.always(409).forMethod("PUT"));
        for (int i = 0; i < 10; i++) {
            PoolKey pool = PoolKey.of("lb-1", "ns-svc" + i);
            f.cloud.putPool(pool, AddressSet.empty());
            f.want(new ServiceName("ns", "svc" + i), pool, "10.0.0.4");
        }
        // when
        f.ticks(4);
        // then
        assertThat(f.metrics.retriesRefused()).isZero();
        assertThat(f.counted()).containsExactly(0L, 10L, 30L);
        assertThat(budget.left).isEqualTo(3);
    }

    @Test
    void a_call_that_throws_closes_its_withdrawal() {
        // given
        admitThreeAtOnce();
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE, budget);
        f.fault(FaultRule.always(409).times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        f.duringRead(() -> {
            throw new IllegalStateException("a bug");
        });
        // when
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web FAILED");
        assertThat(budget.left).isEqualTo(3);
    }

    @Test
    void a_call_that_ends_in_an_error_closes_its_withdrawal() {
        // given
        admitThreeAtOnce();
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE, budget);
        f.fault(FaultRule.always(409).times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        f.duringRead(() -> {
            throw new InternalError("planted");
        });
        // when
        assertThatThrownBy(f::tick).hasRootCauseMessage("planted");
        // then
        assertThat(budget.left).isEqualTo(3);
    }

    @Test
    void an_observer_that_throws_does_not_leave_a_withdrawal_open() {
        // given
        admitThreeAtOnce();
        AtomicInteger updates = new AtomicInteger();
        Consumer<Fact> throwing = fact -> {
            if (fact instanceof Fact.Began && updates.incrementAndGet() == 2) {
                throw new IllegalStateException("a bug");
            }
        };
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE,
                builder -> builder.budgetAcrossTicks(budget).facts(throwing),
                UnaryOperator.identity());
        f.fault(FaultRule.always(409).times(1));
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        // when
        f.tick();
        // then
        assertThat(budget.left).isEqualTo(3);
    }
}
