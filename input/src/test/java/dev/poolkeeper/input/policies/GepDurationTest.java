package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GepDurationTest {

    @ParameterizedTest
    @CsvSource({
        "0s, PT0S, 0s",
        "0h, PT0S, 0s",
        "0h0m0s, PT0S, 0s",
        "00060m, PT1H, 1h",
        "10s30m1h, PT1H30M10S, 1h30m10s",
        "100ms200ms300ms, PT0.6S, 600ms",
        "99999h, PT99999H, 99999h",
        "7230s, PT2H30S, 2h30s",
        "150m, PT2H30M, 2h30m",
        "1ms, PT0.001S, 1ms",
        "1m1ms, PT1M0.001S, 1m1ms",
        "99999ms, PT99.999S, 1m39s999ms"
    })
    @Rule(
            id = "P40",
            says = "Durations are one to four parts of up to five digits and a unit of h, m, s, ms, added up; they are"
                    + " printed with the largest units first, each once.",
            source = "GEP-2257")
    void durations_are_parsed_and_printed_canonically(String text, Duration meaning, String canonical) {
        assertThat(GepDuration.parse(text)).isEqualTo(meaning);
        assertThat(GepDuration.format(meaning)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "1",
                "1m1",
                "1d",
                "1.5h",
                "-15m",
                "999999h",
                "1h30m10s20ms50h",
                " 1s",
                "1s\n",
                "1H",
                "١s"
            })
    @Rule(id = "P41", says = "Anything else is refused: no sign, no fraction, no bare number.", source = "GEP-2257")
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> GepDuration.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("found \"" + text + "\", " + GepDuration.RULE);
    }

    @Test
    void durations_that_cannot_be_written_are_refused() {
        assertThatThrownBy(() -> GepDuration.format(Duration.ofNanos(1))).hasMessageContaining("PT0.000000001S");
        assertThatThrownBy(() -> GepDuration.format(Duration.ofHours(100_000))).hasMessageContaining("PT100000H");
        assertThatThrownBy(() -> GepDuration.format(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    }
}
