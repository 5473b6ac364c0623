package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.004S, 0 s",
        "PT0.005S, 0.01 s",
        "PT0.25S, 0.25 s",
        "PT1.5S, 1.5 s",
        "PT2.344S, 2.34 s",
        "PT9.999S, 10 s",
        "PT10.4S, 10 s",
        "PT10.5S, 11 s",
        "PT1M, 60 s",
        "PT5M, 300 s",
        "PT1H, 3600 s"
    })
    void a_duration_is_told_in_seconds_as_exactly_as_is_of_use(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }
}
