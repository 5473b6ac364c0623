package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import org.junit.jupiter.api.Test;

/** The budget under both layers. */
class RetryModelTest {

    /** One retry at once, whatever is active. */
    private static final BudgetSettings ONE_AT_ONCE = new BudgetSettings.Envoy(0, 1);

    private static final CallRetries.Decision REFUSED =
            new CallRetries.Decision.GiveUp(CallRetries.Reason.BUDGET_REFUSED);

    private final FakeTime time = new FakeTime();

    private RetryModel model(BudgetSettings constraint) {
        return new RetryModel(RetrySettings.of(RetryPolicy.DEFAULT, constraint), time);
    }

    @Test
    @Rule(
            id = "P62",
            says = "If no budget is configured, the default one applies only to retries inside calls; retries"
                    + " across ticks are bounded by maxRetries and the interval.",
            source = "design document, Configuration: maxRetries")
    void the_default_budget_is_for_retries_inside_calls() {
        // given
        RetryModel model = new RetryModel(RetrySettings.DEFAULT, time);
        long floor = model.budget().balance().orElseThrow();
        // when
        for (int i = 0; i < 1_000; i++) {
            model.acrossTicks().tryWithdraw().orElseThrow().close();
        }
        // then
        assertThat(model.acrossTicks().balance()).isEmpty();
        assertThat(model.budget().balance()).hasValue(floor);
        for (int i = 0; i < floor; i++) {
            assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503))
                    .isInstanceOf(CallRetries.Decision.Retry.class);
        }
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503)).isEqualTo(REFUSED);
    }

    @Test
    @Rule(
            id = "P63",
            says = "A configured budget is shared by retries inside calls and across ticks; refusals of both"
                    + " are counted.",
            source = "GEP-3388: each retry counts")
    void a_configured_budget_is_one_for_both_layers() {
        // given
        RetryModel model = model(ONE_AT_ONCE);
        InProgress retry = model.acrossTicks().tryWithdraw().orElseThrow();
        assertThat(model.acrossTicks().balance()).hasValue(0);
        // when, then
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503)).isEqualTo(REFUSED);
        assertThat(model.acrossTicks().tryWithdraw()).isEmpty();
        assertThat(model.status().refused()).isEqualTo(2);
        // when
        retry.close();
        // then
        assertThat(model.acrossTicks().tryWithdraw()).isPresent();
        assertThat(model.status().refused()).isEqualTo(2);
    }

    @Test
    void a_budget_that_is_configured_later_governs_retries_across_ticks_from_then_on() {
        // given
        RetryModel model = new RetryModel(RetrySettings.DEFAULT, time);
        RetryBudget acrossTicks = model.acrossTicks();
        // when, then
        model.adjust(RetrySettings.of(RetryPolicy.DEFAULT, new BudgetSettings.None()));
        assertThat(acrossTicks.tryWithdraw()).isEmpty();
        model.adjust(RetrySettings.DEFAULT);
        assertThat(acrossTicks.tryWithdraw()).isPresent();
    }

    @Test
    void the_budget_sees_the_start_and_the_end_of_exchanges() {
        RetryModel half = model(new BudgetSettings.Envoy(50, 0));
        assertThat(half.acrossTicks().tryWithdraw()).isEmpty();
        Exchange first = half.calls().begin(CallContext.unbound());
        Exchange second = half.calls().begin(CallContext.unbound());
        assertThat(half.acrossTicks().balance()).hasValue(1);
        first.end();
        second.end();
        assertThat(half.acrossTicks().balance()).hasValue(0);
    }

    @Test
    void the_budget_is_named_after_its_settings() {
        assertThat(model(ONE_AT_ONCE).budget())
                .hasToString(RetryBudget.of(ONE_AT_ONCE, () -> 0).toString());
        assertThat(model(ONE_AT_ONCE).acrossTicks()).asString().contains("Envoy");
        assertThat(new RetryModel(RetrySettings.DEFAULT, time).acrossTicks()).hasToString("endless retry budget");
    }
}
