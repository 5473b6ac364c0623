package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests counted under other settings keep their age. Windows of ten seconds have slots of one second here. */
class AdjustableBudgetTest {

    private final JumpingClock clock = new JumpingClock();

    private static Linkerd reserve(int perSecond, int seconds) {
        return new Linkerd(0, perSecond, Duration.ofSeconds(seconds));
    }

    private static Linkerd ratio(double ratio, int seconds) {
        return new Linkerd(ratio, 0, Duration.ofSeconds(seconds));
    }

    private static long admitted(RetryBudget budget) {
        return IntStream.range(0, 200)
                .filter(i -> budget.tryWithdraw().isPresent())
                .count();
    }

    private static void deposit(RetryBudget budget, int count) {
        IntStream.range(0, count).forEach(i -> budget.deposit());
    }

    private void seconds(int count) {
        clock.advance(Duration.ofSeconds(count));
    }

    @Test
    void withdrawn_retries_are_available_again_after_the_new_window() {
        AdjustableBudget budget = new AdjustableBudget(reserve(1, 10), clock);
        assertThat(admitted(budget)).isEqualTo(10);
        seconds(4);
        budget.adjust(reserve(2, 10));
        assertThat(admitted(budget)).isEqualTo(10);
        seconds(5);
        assertThat(admitted(budget)).isZero(); // the first ten are nine seconds old
        seconds(1);
        assertThat(admitted(budget)).isEqualTo(10);
        seconds(3);
        assertThat(admitted(budget)).isZero();
        seconds(1);
        assertThat(admitted(budget)).isEqualTo(10); // and now the second ten are ten
    }

    @Test
    void first_attempts_count_until_they_are_older_than_the_new_window() {
        AdjustableBudget budget = new AdjustableBudget(ratio(0.5, 10), clock);
        deposit(budget, 20);
        seconds(3);
        deposit(budget, 40);
        budget.adjust(ratio(1, 10));
        seconds(6);
        budget.adjust(ratio(0.1, 10));
        assertThat(admitted(budget)).isEqualTo(6); // of sixty
        seconds(1);
        budget.adjust(ratio(0.5, 10));
        assertThat(admitted(budget)).isEqualTo(14); // of the forty, six are withdrawn
    }

    @Test
    void a_shorter_window_forgets_older_requests_and_a_longer_one_keeps_those_of_the_last() {
        AdjustableBudget budget = new AdjustableBudget(ratio(1, 60), clock);
        deposit(budget, 30);
        seconds(48);
        deposit(budget, 5);
        budget.adjust(ratio(1, 10));
        assertThat(admitted(budget)).isEqualTo(5);
        budget.adjust(ratio(1, 60));
        assertThat(admitted(budget)).isZero();
        deposit(budget, 2);
        assertThat(admitted(budget)).isEqualTo(2);
    }

    @Test
    void the_gateway_api_floor_counts_retries_withdrawn_from_an_earlier_budget() {
        AdjustableBudget budget = new AdjustableBudget(reserve(1, 10), clock);
        assertThat(admitted(budget)).isEqualTo(10);
        seconds(5);
        budget.adjust(new GatewayApi(0, Duration.ofSeconds(10), new MinRetryRate(12, Duration.ofSeconds(10))));
        assertThat(admitted(budget)).isEqualTo(2);
        seconds(6);
        assertThat(admitted(budget)).isEqualTo(10);
    }

    @Test
    void requests_seen_by_the_longer_of_two_windows_are_taken_over() {
        AdjustableBudget budget = new AdjustableBudget(
                new GatewayApi(0, Duration.ofSeconds(1), new MinRetryRate(8, Duration.ofSeconds(20))), clock);
        assertThat(admitted(budget)).isEqualTo(8);
        seconds(5);
        budget.adjust(reserve(1, 10));
        assertThat(admitted(budget)).isEqualTo(2);
    }

    @Test
    void a_budget_without_a_window_decides_alone_and_the_window_is_kept() {
        AdjustableBudget budget = new AdjustableBudget(reserve(1, 10), clock);
        assertThat(admitted(budget)).isEqualTo(10);
        budget.adjust(new BudgetSettings.Endless());
        assertThat(budget.tryWithdraw()).isPresent();
        budget.adjust(new BudgetSettings.None());
        assertThat(budget.tryWithdraw()).isEmpty();
        budget.adjust(reserve(1, 10));
        assertThat(admitted(budget)).isZero();
    }

    @Test
    void a_budget_describes_its_settings() {
        AdjustableBudget budget = new AdjustableBudget(reserve(1, 10), clock);
        assertThat(budget)
                .asString()
                .contains("Linkerd")
                .contains(reserve(1, 10).toString());
        budget.adjust(GatewayApi.STANZA_DEFAULT);
        assertThat(budget).asString().contains("Gateway API").contains(GatewayApi.STANZA_DEFAULT.toString());
        assertThat(RetryBudget.ENDLESS).asString().contains("endless");
        assertThat(RetryBudget.NONE).asString().contains("no retry budget");
    }

    @Test
    void a_model_adjusts_its_policy_and_its_budget_together() {
        RetryModel model =
                new RetryModel(RetrySettings.of(RetryPolicy.DEFAULT, new BudgetSettings.None()), new FakeTime());
        assertThat(model.budget().tryWithdraw()).isEmpty();
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503))
                .isInstanceOf(CallRetries.Decision.GiveUp.class);

        model.adjust(RetrySettings.of(RetryPolicy.DEFAULT, new BudgetSettings.Endless()));
        assertThat(model.budget().tryWithdraw()).isPresent();
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503))
                .isInstanceOf(CallRetries.Decision.Retry.class);

        RetryPolicy none = new RetryPolicy(
                RetryPolicy.DEFAULT.codes(),
                0,
                RetryPolicy.DEFAULT.backoff(),
                RetryPolicy.DEFAULT.request(),
                RetryPolicy.DEFAULT.backendRequest());
        model.adjust(RetrySettings.of(none, new BudgetSettings.Endless()));
        assertThat(model.calls().begin(CallContext.unbound()).afterStatus(503))
                .isInstanceOf(CallRetries.Decision.GiveUp.class);
    }
}
