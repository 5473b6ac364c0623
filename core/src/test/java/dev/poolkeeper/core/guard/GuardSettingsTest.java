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

    private static BrakeSettings brake(int percent, int minAddresses, long holdSeconds, long windowNanos) {
        return new BrakeSettings(percent, minAddresses, Duration.ofSeconds(holdSeconds), Duration.ofNanos(windowNanos));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, 1", "100, 0, 0, 1"})
    void values_at_the_bounds_of_the_brake_are_accepted(
            int percent, int minAddresses, long holdSeconds, long windowNanos) {
        assertThatCode(() -> brake(percent, minAddresses, holdSeconds, windowNanos))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 1, percent must be 0 to 100: -1",
        "101, 0, 0, 1, percent must be 0 to 100: 101",
        "50, -1, 0, 1, minAddresses and hold must not be negative: -1 and PT0S",
        "50, 0, -1, 1, minAddresses and hold must not be negative: 0 and PT-1S",
        "50, 0, 0, 0, window must be greater than 0: PT0S"
    })
    void values_beyond_the_bounds_of_the_brake_are_refused(
            int percent, int minAddresses, long holdSeconds, long windowNanos, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> brake(percent, minAddresses, holdSeconds, windowNanos))
                .withMessage(fault.replace(": ", ", got "));
    }

    @Test
    void a_fight_takes_at_least_one_change() {
        Backoff waits = new Backoff(MINUTE, MINUTE);
        assertThat(new DriftSettings(1, waits, MINUTE).times()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DriftSettings(0, waits, MINUTE))
                .withMessage("times must be at least 1, got 0");
    }

    @Test
    void each_setting_can_be_replaced_independently() {
        BrakeSettings brake = brake(1, 2, 3, 4);
        DriftSettings drift = new DriftSettings(5, new Backoff(MINUTE, MINUTE), MINUTE);
        Backoff waits = new Backoff(MINUTE, MINUTE);
        assertThat(GuardSettings.DEFAULT.withBrake(brake))
                .isEqualTo(new GuardSettings(brake, DriftSettings.DEFAULT, GuardSettings.DEFAULT.forbiddenWaits()));
        assertThat(GuardSettings.DEFAULT.withDrift(drift).withForbiddenWaits(waits))
                .isEqualTo(new GuardSettings(BrakeSettings.DEFAULT, drift, waits));
    }
}
