package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Budgets by example. */
class RetryBudgetTest {

    private final JumpingClock clock = new JumpingClock();

    private static long admitted(RetryBudget budget, int wishes) {
        return IntStream.range(0, wishes)
                .filter(i -> budget.tryWithdraw().isPresent())
                .count();
    }

    private static void deposit(RetryBudget budget, int count) {
        IntStream.range(0, count).forEach(i -> budget.deposit());
    }

    @Test
    @Rule(
            id = "P10",
            says = "An idle budget admits exactly minRetryRate.count retries at once.",
            source = "GEP-3388, Goals")
    void an_idle_budget_admits_its_floor_and_no_more() {
        RetryBudget budget = RetryBudget.of(GatewayApi.STANZA_DEFAULT, clock);
        clock.advance(Duration.ofHours(5));
        assertThat(admitted(budget, 500)).isEqualTo(10);
        clock.advance(Duration.ofMillis(1_002));
        assertThat(admitted(budget, 500)).isEqualTo(10);
    }

    @Test
    @Rule(
            id = "P11",
            says = "The share refers to all requests, retries included: 20 % of 100 requests are 20 retries for"
                    + " 80 first attempts.",
            source = "BackendTrafficPolicy, Retry Constraint")
    void the_share_counts_retries_among_the_requests() {
        RetryBudget budget = RetryBudget.of(
                new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofHours(1))), clock);
        deposit(budget, 80);
        assertThat(admitted(budget, 500)).isEqualTo(20);
    }

    @Test
    @Rule(
            id = "P12",
            says = "With percent 0 only the floor applies, with percent 100 every retry is admitted.",
            source = "GEP-3388")
    void percent_0_leaves_the_floor_and_100_everything() {
        MinRetryRate floor = new MinRetryRate(2, Duration.ofSeconds(1));
        RetryBudget none = RetryBudget.of(new GatewayApi(0, Duration.ofSeconds(10), floor), clock);
        RetryBudget all = RetryBudget.of(new GatewayApi(100, Duration.ofSeconds(10), floor), clock);
        deposit(none, 1_000);
        assertThat(admitted(none, 500)).isEqualTo(2);
        assertThat(admitted(all, 500)).isEqualTo(500);
    }

    @Test
    @Rule(
            id = "P13",
            says = "A minRetryRate with an interval beyond budget.interval admits count retries in its own interval.",
            source = "GEP-3388, MinRetryRate")
    void a_floor_rarer_than_the_interval_holds_over_its_own_interval() {
        RetryBudget budget = RetryBudget.of(
                new GatewayApi(0, Duration.ofSeconds(1), new MinRetryRate(1, Duration.ofHours(1))), clock);
        assertThat(admitted(budget, 5)).isEqualTo(1);
        clock.advance(Duration.ofMinutes(59));
        assertThat(admitted(budget, 5)).isZero();
        clock.advance(Duration.ofMinutes(2));
        assertThat(admitted(budget, 5)).isEqualTo(1);
    }

    @Test
    @Rule(
            id = "P14",
            says = "The default budget is 20 % over 60 s and at least 6 per minute, sized for ARM's quota.",
            source = "ours")
    void the_default_is_sized_for_arm() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.DEFAULT, clock);
        assertThat(admitted(budget, 100)).isEqualTo(6);
        clock.advance(Duration.ofSeconds(59));
        assertThat(admitted(budget, 100)).isZero();
        clock.advance(Duration.ofSeconds(2));
        assertThat(admitted(budget, 100)).isEqualTo(6);
    }

    @Test
    void a_refusal_changes_nothing() {
        RetryBudget budget = RetryBudget.of(GatewayApi.STANZA_DEFAULT, clock);
        assertThat(admitted(budget, 1_000_000)).isEqualTo(10);
        deposit(budget, 80);
        assertThat(admitted(budget, 500)).isEqualTo(10);
    }

    @Test
    @Rule(
            id = "P15",
            says = "A backward clock jump refunds nothing, and the budget recovers within an interval.",
            source = "ours")
    void a_clock_that_jumps_back_neither_refunds_nor_blocks() {
        RetryBudget budget = RetryBudget.of(GatewayApi.STANZA_DEFAULT, clock);
        deposit(budget, 80);
        assertThat(admitted(budget, 100)).isEqualTo(20);
        clock.advance(Duration.ofDays(-1));
        assertThat(admitted(budget, 100)).isZero();
        clock.advance(Duration.ofSeconds(11));
        assertThat(admitted(budget, 100)).isEqualTo(10);
    }

    @Test
    @Rule(
            id = "P16",
            says = "Linkerd's reserve is minRetriesPerSecond for each second of the ttl, on top of the ratio.",
            source = "Linkerd 2.2 retries, Using retry budgets")
    void linkerds_reserve_comes_on_top_of_the_ratio() {
        RetryBudget budget = RetryBudget.of(Linkerd.DEFAULT, clock);
        assertThat(admitted(budget, 1_000)).isEqualTo(100);
        deposit(budget, 50);
        assertThat(admitted(budget, 1_000)).isEqualTo(10);
    }

    @Test
    void the_extreme_settings_admit_nothing_and_everything() {
        assertThat(admitted(RetryBudget.of(new BudgetSettings.None(), clock), 10))
                .isZero();
        assertThat(admitted(RetryBudget.of(new BudgetSettings.Endless(), clock), 10))
                .isEqualTo(10);
    }

    @Test
    @Rule(
            id = "P18",
            says = "New settings take effect immediately; earlier deposits and withdrawals keep their age.",
            source = "ours")
    void new_settings_keep_earlier_withdrawals() {
        // given
        AdjustableBudget budget = new AdjustableBudget(BudgetSettings.DEFAULT, clock);
        deposit(budget, 80);
        assertThat(admitted(budget, 100)).isEqualTo(20);
        // when
        budget.adjust(new GatewayApi(50, Duration.ofSeconds(30), new MinRetryRate(1, Duration.ofHours(1))));
        // then
        assertThat(admitted(budget, 100)).isEqualTo(60);
        // when
        clock.advance(Duration.ofSeconds(20));
        budget.adjust(new Linkerd(1, 0, Duration.ofSeconds(60)));
        assertThat(admitted(budget, 100)).isZero();
        budget.adjust(new BudgetSettings.Endless());
        budget.adjust(new GatewayApi(50, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofMillis(1))));
        // then: ten seconds see nothing of what happened before
        deposit(budget, 5);
        assertThat(admitted(budget, 100)).isEqualTo(5);
    }

    @Test
    @Rule(id = "P19", says = "deposit and tryWithdraw allocate nothing.", source = "ours")
    void depositing_and_withdrawing_allocate_nothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RetryBudget budget = new AdjustableBudget(GatewayApi.STANZA_DEFAULT, clock);
        Runnable use = () -> {
            for (int i = 0; i < 50_000; i++) {
                clock.advance(Duration.ZERO);
                budget.deposit();
                budget.tryWithdraw();
            }
        };
        use.run();
        long before = threads.getCurrentThreadAllocatedBytes();
        use.run();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(50_000);
    }

    @Test
    void the_balance_is_the_number_admitted_at_once_and_reading_it_is_free() {
        for (BudgetSettings settings : List.of(
                GatewayApi.STANZA_DEFAULT,
                new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofHours(1))),
                new GatewayApi(0, Duration.ofSeconds(10), new MinRetryRate(7, Duration.ofSeconds(1))),
                new Linkerd(0.4, 3, Duration.ofSeconds(10)))) {
            AdjustableBudget budget = new AdjustableBudget(settings, clock);
            deposit(budget, 83);
            admitted(budget, 2);
            long balance = budget.balance().orElseThrow();
            assertThat(budget.balance()).hasValue(balance);
            assertThat(admitted(budget, 500)).as(settings.toString()).isEqualTo(balance);
            assertThat(budget.balance()).hasValue(0);
        }
    }

    @Test
    void a_budget_without_a_limit_has_no_balance() {
        assertThat(RetryBudget.ENDLESS.balance()).isEmpty();
        assertThat(RetryBudget.NONE.balance()).hasValue(0);
        GatewayApi everything = new GatewayApi(100, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofHours(1)));
        assertThat(RetryBudget.of(everything, clock).balance()).isEmpty();
    }
}
