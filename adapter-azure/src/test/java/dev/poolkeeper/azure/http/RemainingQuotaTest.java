package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.WriteQuota.Level;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemainingQuotaTest {

    private final FakeTime time = new FakeTime();
    private final RemainingQuota quota = new RemainingQuota(time);

    private void answered(String kind, String remaining) {
        quota.answered(new HttpHeaders()
                .set(HttpHeaderName.fromString("x-ms-ratelimit-remaining-subscription-" + kind), remaining));
    }

    @ParameterizedTest
    @CsvSource({"200, AMPLE", "51, AMPLE", "50, SCARCE", "11, SCARCE", "10, LAST", "1, LAST", "0, NONE"})
    @Rule(
            id = "J21",
            says = "The remaining quota that ARM reports slows us down before it is exhausted: at 50, at 10,"
                    + " and at 0; without such a header nothing is slowed down.",
            source = "ours")
    void the_level_follows_the_remaining_quota(long remaining, Level level) {
        assertThat(quota.level()).isEqualTo(Level.AMPLE);

        answered("writes", Long.toString(remaining));

        assertThat(quota.level()).isEqualTo(level);
    }

    @ParameterizedTest
    @ValueSource(strings = {"writes", "global-writes", "reads", "global-reads"})
    void every_quota_counts(String kind) {
        answered("writes", "199");
        answered("reads", "249");
        answered(kind, "7");

        assertThat(quota.level()).isEqualTo(Level.LAST);
    }

    @Test
    @Rule(
            id = "J22",
            says = "A quota figure counts as one level higher for every six seconds of age, because the quota"
                    + " refills while nothing is sent.",
            source = "ours")
    void an_old_figure_expires_step_by_step() {
        answered("writes", "0");
        time.advance(RemainingQuota.STEP.minusMillis(1));
        assertThat(quota.level()).isEqualTo(Level.NONE);

        time.advance(Duration.ofMillis(1));
        assertThat(quota.level()).isEqualTo(Level.LAST);
        time.advance(RemainingQuota.STEP);
        assertThat(quota.level()).isEqualTo(Level.SCARCE);
        time.advance(RemainingQuota.STEP);
        assertThat(quota.level()).isEqualTo(Level.AMPLE);
        time.advance(Duration.ofDays(30));
        assertThat(quota.level()).isEqualTo(Level.AMPLE);
    }

    @Test
    void a_clock_that_is_set_back_does_not_confuse_it() {
        answered("writes", "20");
        time.jump(Duration.ofHours(-1));

        assertThat(quota.level()).isEqualTo(Level.SCARCE);
    }

    @Test
    void a_later_figure_replaces_the_previous_one() {
        answered("writes", "3");
        answered("writes", "150");

        assertThat(quota.level()).isEqualTo(Level.AMPLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "0x1", "99999999999999999999", "1.5"})
    void an_invalid_number_is_ignored(String value) {
        answered("writes", value);

        assertThat(quota.level()).isEqualTo(Level.AMPLE);
        assertThat(quota.status().writes()).isEmpty();
    }

    @Test
    void the_status_shows_the_smaller_of_two_figures() {
        answered("writes", "150");
        answered("global-writes", "40");

        assertThat(quota.status()).isEqualTo(new QuotaStatus(Level.SCARCE, Optional.of(40L), Optional.empty()));
    }
}
