package dev.poolkeeper.core.tick;

import static dev.poolkeeper.core.tick.Fixture.POOL;
import static dev.poolkeeper.core.tick.Fixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryScope;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The retry budget across ticks. */
class TickBudgetTest {

    /** Counts, and admits what it is told to. */
    private static final class CountingBudget implements RetryBudget {
        int deposits;
        int withdrawals;
        int left;

        @Override
        public void deposit() {
            deposits++;
        }

        @Override
        public boolean tryWithdraw() {
            withdrawals += left > 0 ? 1 : 0;
            return left-- > 0;
        }
    }

    private final CountingBudget budget = new CountingBudget();

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P60",
            says = "A group that was tried before withdraws before it is sent; refused, it stays queued as on a tick"
                    + " that preserves the queue: no call, no count, no event, a metric.",
            source = "DESIGN section 4")
    void a_refused_group_stays_queued_and_is_counted(UpdateModel model) {
        // given
        Fixture f = new Fixture(model, 3, budget);
        f.fault(FaultRule.always(409).forMethod("PUT").times(1));
        f.replace(WEB, POOL, "10.0.0.4");
        f.tick();
        // when
        f.ticks(5);
        // then
        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.counted()).containsExactly(0L, 0L, 1L);
        assertThat(f.metrics.retriesRefused()).isEqualTo(5);
        // when
        budget.left = 1;
        f.tick();
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P61",
            says = "A fresh group deposits once when it is sent, a retried one never; what a tick sends again is"
                    + " marked as a retry for the layers below.",
            source = "DESIGN section 4")
    void a_fresh_group_deposits_and_a_retried_one_does_not(UpdateModel model) {
        // given
        List<Boolean> marked = new ArrayList<>();
        Fixture f = new Fixture(model, 3, budget);
        f.duringRead(() -> marked.add(RetryScope.isActive()));
        f.duringWrite(() -> marked.add(RetryScope.isActive()));
        f.fault(FaultRule.always(409).forMethod("PUT").times(1));
        budget.left = 1;
        f.replace(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(2);
        // then
        assertThat(budget.deposits).isEqualTo(1);
        assertThat(budget.withdrawals).isEqualTo(1);
        assertThat(marked).containsExactly(false, false, true, true);
        assertThat(RetryScope.isActive()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void a_parked_group_and_one_without_the_lock_neither_deposit_nor_withdraw(UpdateModel model) {
        // given
        Fixture f = new Fixture(model, 3, budget);
        f.fault(FaultRule.always(429)
                .retryAfter(Fixture.INTERVAL.multipliedBy(3))
                .times(1));
        budget.left = 5;
        f.replace(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(2);
        // then
        assertThat(budget.deposits).isEqualTo(1);
        assertThat(budget.withdrawals).isZero();
    }
}
