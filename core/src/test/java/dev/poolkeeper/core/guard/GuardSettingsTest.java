package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.poolkeeper.ports.retry.Backoff;
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
    void a_fight_takes_one_time_at_least() {
        Backoff waits = Backoff.doubling(MINUTE, MINUTE);
        assertThat(new DriftSettings(1, waits, MINUTE).times()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftSettings(0, waits, MINUTE));
    }
}
