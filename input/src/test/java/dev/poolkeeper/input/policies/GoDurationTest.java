package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "1.5s, PT1.5S",
        ".5s, PT0.5S",
        "2.s, PT2S",
        "1h30m, PT1H30M",
        "25ms, PT0.025S",
        "3us, PT0.000003S",
        "3\u00b5s, PT0.000003S",
        "3\u03bcs, PT0.000003S",
        "0s, PT0S",
        "1h1m1s1ms1us1ns1h1m1s1ms1us1ns1h1m1s1ms, PT3H3M3.003002002S",
        "9223372036s, PT9223372036S",
        "7ns, PT0.000000007S"
    })
    void durations_that_go_accepts_are_parsed(String text, Duration duration) {
        assertThat(GoDuration.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "-1s", "1 s", "1d", "1s1", "1.2.3s", "99999999999h", "9223372037s", "."})
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("found \"" + text + "\", " + GoDuration.RULE);
    }
}
