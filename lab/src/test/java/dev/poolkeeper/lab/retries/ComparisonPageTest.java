package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComparisonPageTest {

    private static final RetryPolicy POLICY = new RetryPolicy(
            Set.of(500, 503), 3, Duration.ofMillis(25), Duration.ofSeconds(10), Duration.ofMillis(1_500));
    private static final Measured MEASURED = new Measured(
            0.999,
            100,
            0.95,
            105,
            Duration.ofMillis(4),
            Duration.ofMillis(40),
            Duration.ofMillis(60),
            Duration.ofMillis(4),
            Duration.ofMillis(12),
            500);

    private static String page(RetryPolicy policy, BudgetSettings budget) {
        return ComparisonPage.of(
                List.of(new ComparisonPage.Route("shop/web rule 0", RetrySettings.of(policy, budget), MEASURED)),
                Duration.ofSeconds(60));
    }

    @Test
    void a_policy_is_described_in_words() {
        assertThat(page(POLICY, new BudgetSettings.Linkerd(0.2, 10, Duration.ofSeconds(10))))
                .contains(
                        ">500, 503 and connection errors<",
                        ">at most 3 times<",
                        ">at least 25ms, doubling up to 250ms, with jitter<",
                        ">10s<",
                        ">1s500ms<",
                        ">0.2 retries per first attempt of 10s, plus 10 per second<")
                .doesNotContain("RetryPolicy", "RetrySettings", "Linkerd[", "PT");
    }

    @Test
    void unlimited_settings_are_shown_as_such() {
        RetryPolicy endless =
                new RetryPolicy(Set.of(), RetryPolicy.UNLIMITED, Duration.ZERO, Duration.ofMillis(25), Duration.ZERO);
        assertThat(page(endless, new BudgetSettings.Endless()))
                .contains(
                        ">connection errors<",
                        ">as often as the time and the budget allow<",
                        "wait before a retry</td><td data-name=\"VALUE\">none<",
                        "timeout of an attempt</td><td data-name=\"VALUE\">without limit<",
                        ">none, every retry is admitted<");
        assertThat(page(RetryPolicy.OFF, BudgetSettings.DEFAULT))
                .contains(
                        "retried</td><td data-name=\"VALUE\">nothing<",
                        ">20 % of all requests of 1m, or 6 in 1m if that is more<")
                .doesNotContain("wait before");
        assertThat(page(POLICY, new BudgetSettings.None())).contains(">no retries<");
    }

    @Test
    void measurements_and_predictions_are_side_by_side() {
        assertThat(page(POLICY, new BudgetSettings.Endless()))
                .contains(">MEASURED<", ">PREDICTED<")
                .containsPattern("EFFECTIVE_SUCCESS</td><td[^>]*>99.9 %</td><td[^>]*>100.0 % \\(\\d");
    }
}
