package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFaultTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.001S, 1ms",
        "PT1S, 1s",
        "PT1.5S, 1s500ms",
        "PT1M, 1m",
        "PT1H, 1h",
        "PT25H, 25h",
        "PT26H3M4.005S, 26h3m4s5ms",
        "PT-1S, PT-1S",
        "PT0.0000001S, PT0.0000001S",
        "PT1.0005S, PT1.0005S"
    })
    void a_duration_is_written_as_in_the_gateway_api_if_it_has_such_a_form(Duration value, String text) {
        assertThat(PolicyFault.text(value)).isEqualTo(text);
    }

    @Test
    void a_fault_names_the_field_the_value_and_the_rule() {
        PolicyFault fault = new PolicyFault("retry.attempts", "-1", "must be 0 or more");
        assertThat(fault).hasToString("retry.attempts: found -1, must be 0 or more");
        assertThat(fault.problem()).isEqualTo("found -1, must be 0 or more");
    }
}
