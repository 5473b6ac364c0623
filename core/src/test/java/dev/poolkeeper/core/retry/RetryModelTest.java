package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The budget under both layers. */
class RetryModelTest {

    private static final BudgetSettings ONE_A_MINUTE =
            new GatewayApi(0, Duration.ofMinutes(1), new MinRetryRate(1, Duration.ofMinutes(1)));

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
        RetryModel model = model(ONE_A_MINUTE);
        assertThat(model.acrossTicks().tryWithdraw()).isPresent();
        assertThat(model.acrossTicks().balance()).hasValue(0);
        // when, then
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503)).isEqualTo(REFUSED);
        assertThat(model.acrossTicks().tryWithdraw()).isEmpty();
        assertThat(model.status().refused()).isEqualTo(2);
        // when
        time.advance(Duration.ofSeconds(61));
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
    void the_budget_is_named_after_its_settings() {
        assertThat(model(ONE_A_MINUTE).budget())
                .hasToString(RetryBudget.of(ONE_A_MINUTE, () -> 0).toString());
        assertThat(model(ONE_A_MINUTE).acrossTicks()).asString().contains("Gateway API");
        assertThat(new RetryModel(RetrySettings.DEFAULT, time).acrossTicks()).hasToString("endless retry budget");
    }
}
