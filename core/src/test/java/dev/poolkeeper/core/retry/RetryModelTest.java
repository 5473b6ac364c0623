package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import org.junit.jupiter.api.Test;

/** One budget under both layers. */
class RetryModelTest {

    /** One retry at once, whatever is active. */
    private static final BudgetSettings ONE_AT_ONCE = new BudgetSettings.Envoy(0, 1);

    private final TestClock clock = new TestClock();
    private final RetryModel model =
            new RetryModel(new RetrySettings(RetryPolicy.DEFAULT, ONE_AT_ONCE), clock, () -> 0.5);

    @Test
    void both_layers_draw_on_one_budget_and_refusals_of_both_are_counted() {
        RetryBudget ticks = model.budget();
        assertThat(ticks.balance()).hasValue(1);
        assertThat(ticks.tryWithdraw()).isTrue();
        assertThat(ticks.balance()).hasValue(0);
        Exchange exchange = model.calls().begin(CallContext.unbound());
        assertThat(exchange.afterStatus(503))
                .isEqualTo(new CallRetries.Decision.GiveUp(CallRetries.Reason.BUDGET_REFUSED));
        assertThat(ticks.tryWithdraw()).isFalse();
        assertThat(model.refused()).isEqualTo(2);

        ticks.retryEnded();
        assertThat(ticks.tryWithdraw()).isTrue();
        assertThat(model.refused()).isEqualTo(2);
    }

    @Test
    void exchanges_that_begin_and_end_are_seen_by_the_budget() {
        RetryModel half = new RetryModel(
                new RetrySettings(RetryPolicy.DEFAULT, new BudgetSettings.Envoy(50, 0)), clock, () -> 0.5);
        assertThat(half.budget().tryWithdraw()).isFalse();
        Exchange first = half.calls().begin(CallContext.unbound());
        Exchange second = half.calls().begin(CallContext.unbound());
        assertThat(half.budget().balance()).hasValue(1);
        first.end();
        second.end();
        assertThat(half.budget().balance()).hasValue(0);
    }

    @Test
    void the_budget_is_called_by_its_settings() {
        assertThat(model.budget())
                .hasToString(RetryBudget.of(ONE_AT_ONCE, clock).toString());
    }
}
