package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    @ParameterizedTest
    @CsvSource({"-1, 1", "2, 1"})
    void bounds_are_checked_and_the_value_is_named(long initial, long max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ofSeconds(initial), Duration.ofSeconds(max)))
                .withMessageMatching(".*got .*");
    }

    @Test
    void constant_and_zero_waits_are_allowed() {
        Backoff same = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(same.before(5)).isEqualTo(Duration.ofSeconds(1));
        assertThat(same.before(5, 0.9)).isEqualTo(Duration.ofSeconds(1));
        Backoff none = Backoff.atLeast(Duration.ZERO);
        assertThat(none.before(5)).isZero();
        assertThat(none.before(5, 0.9)).isZero();
    }
}
