package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyWordsTest {

    private static final RetryPolicy GET = new RetryPolicy(
            Set.of(500, 503), 1, Duration.ofMillis(25), Duration.ofSeconds(10), Duration.ofMillis(1_500));

    @Test
    void settings_are_described_in_one_line() {
        RetrySettings settings = new RetrySettings(
                List.of(new RetryRoute(new RequestCondition.Is(RequestCondition.Part.METHOD, "", "GET"), GET)),
                RetryPolicy.OFF,
                Optional.empty());
        assertThat(PolicyWords.of(settings))
                .isEqualTo("GET: 500, 503 and connection errors, at most once, wait at least 25ms, doubling up to"
                        + " 250ms, with jitter, time for a request 10s, for an attempt 1s500ms; otherwise: no retries,"
                        + " time for a request without limit, for an attempt without limit");
    }

    @Test
    void missing_limits_are_described() {
        RetryPolicy endless =
                new RetryPolicy(Set.of(), RetryPolicy.UNLIMITED, Duration.ZERO, Duration.ofMillis(25), Duration.ZERO);
        assertThat(PolicyWords.of(RetrySettings.of(endless)))
                .isEqualTo("connection errors, as often as the time and the budget allow, at once, time for a request"
                        + " 25ms, for an attempt without limit");
    }

    @Test
    void the_longest_durations_can_be_described() {
        RetryPolicy longest = new RetryPolicy(
                Set.of(), 1, GepDuration.parse("99999h99999h"), Duration.ZERO, GepDuration.parse("99999h99999h"));
        assertThat(PolicyWords.of(longest)).contains("at least 199998h, doubling up to 1999980h");
    }

    @Test
    void each_kind_of_budget_is_described() {
        assertThat(PolicyWords.of(BudgetSettings.DEFAULT))
                .isEqualTo("20 % of all requests of 1m, or 6 in 1m if that is more");
        assertThat(PolicyWords.of(Linkerd.DEFAULT))
                .isEqualTo("0.2 retries per first attempt of 10s, plus 10 per second");
        assertThat(PolicyWords.of(new BudgetSettings.None())).isEqualTo("no retries");
        assertThat(PolicyWords.of(new BudgetSettings.Endless())).isEqualTo("none, every retry is admitted");
    }

    @Test
    void numbers_are_written_out() {
        RetryPolicy three = new RetryPolicy(Set.of(), 3, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(PolicyWords.of(three))
                .isEqualTo("connection errors, at most 3 times, at once, time for a request without limit, for an"
                        + " attempt without limit");
        assertThat(PolicyWords.backoff(three)).isEqualTo("none");
        assertThat(PolicyWords.retried(RetryPolicy.OFF)).isEqualTo("nothing");
        assertThat(PolicyWords.of(new Linkerd(1_000, 0, Duration.ofSeconds(60))))
                .isEqualTo("1000 retries per first attempt of 1m, plus 0 per second");
    }
}
