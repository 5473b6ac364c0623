package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardSettingsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @CsvSource({
        "50, 20, 10, 20, false", // exactly half
        "50, 20, 11, 20, true",
        "50, 20, 19, 19, false", // fewer than 20 in all
        "0, 0, 0, 0, false",
        "0, 0, 1, 1, true",
        "99, 1, 100, 100, true",
        "100, 1, 100, 100, false" // switched off
    })
    void the_brake_holds_what_is_more_than_its_share(
            int percent, int minAddresses, long removed, long all, boolean tooMuch) {
        assertThat(new BrakeSettings(percent, minAddresses, MINUTE).isTooMuch(removed, all))
                .isEqualTo(tooMuch);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "100, 0, 0"})
    void the_brakes_bounds_are_allowed(int percent, int minAddresses, long holdSeconds) {
        assertThatCode(() -> new BrakeSettings(percent, minAddresses, Duration.ofSeconds(holdSeconds)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 0", "101, 0, 0", "50, -1, 0", "50, 0, -1"})
    void what_is_beyond_the_brakes_bounds_is_not(int percent, int minAddresses, long holdSeconds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BrakeSettings(percent, minAddresses, Duration.ofSeconds(holdSeconds)));
    }

    @Test
    void waits_double_up_to_the_longest() {
        Doubling waits = new Doubling(Duration.ofSeconds(2), Duration.ofSeconds(15));
        assertThat(new Duration[] {waits.after(0), waits.after(1), waits.after(2), waits.after(3), waits.after(1_000)})
                .extracting(Duration::toSeconds)
                .containsExactly(2L, 4L, 8L, 15L, 15L);
        assertThat(new Doubling(MINUTE, MINUTE).after(5)).isEqualTo(MINUTE);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "2, 1"})
    void waits_are_positive_and_in_order(long first, long longest) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Doubling(Duration.ofSeconds(first), Duration.ofSeconds(longest)));
    }

    @Test
    void a_fight_takes_one_time_at_least() {
        Doubling waits = new Doubling(MINUTE, MINUTE);
        assertThat(new DriftSettings(1, waits, MINUTE).times()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftSettings(0, waits, MINUTE));
    }
}
