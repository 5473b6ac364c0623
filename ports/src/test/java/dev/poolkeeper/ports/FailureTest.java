package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {

    private static final Instant LATER = Instant.parse("2026-01-01T00:00:17Z");

    @Test
    void a_refusal_at_the_gate_has_the_gates_instant() {
        Failure.Throttled atGate = Failure.Throttled.atGate(LATER);

        assertThat(atGate.retryAfter()).isEqualTo(LATER);
        assertThat(atGate.sent()).isFalse();
    }

    @Test
    void status_429_is_a_throttled_failure_with_the_instant_of_retry_after() {
        Failure failure = Failure.ofStatus(429, LATER, ArmError.of(429, "TooManyRequests"));

        assertThat(failure).isInstanceOfSatisfying(Failure.Throttled.class, throttled -> {
            assertThat(throttled.retryAfter()).isEqualTo(LATER);
            assertThat(throttled.sent()).isTrue();
        });
    }

    @Test
    void a_throttled_failure_has_the_same_text_whatever_the_instant() {
        ArmError error = ArmError.of(429, "TooManyRequests");

        assertThat(Failure.Throttled.atGate(LATER).describe())
                .isEqualTo(Failure.Throttled.byArm(null, error).describe())
                .isEqualTo("HTTP 429 TooManyRequests");
    }

    @ParameterizedTest
    @CsvSource({
        "404, NotFound",
        "409, Conflict",
        "412, PreconditionFailed",
        "429, Throttled",
        "400, HttpError",
        "408, HttpError",
        "500, HttpError",
        "503, HttpError"
    })
    void each_status_is_one_kind_of_failure(int status, String kind) {
        assertThat(Failure.ofStatus(status, null, ArmError.ofStatus(status))
                        .getClass()
                        .getSimpleName())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        ", true",
        "ResourceNotFound, true",
        "resourcenotfound, true",
        "NOTFOUND, true",
        "ResourceGroupNotFound, false"
    })
    void a_pool_is_absent_by_a_code_in_any_case(String code, boolean absent) {
        assertThat(new Failure.NotFound(ArmError.of(404, code)).isAbsence()).isEqualTo(absent);
    }

    @Test
    @Rule(
            id = "M4",
            says = "An error reads `HTTP 409 Code: ARM's message (correlation id)`, without unknown parts.",
            source = "contract, Messages")
    void an_error_is_described_as_far_as_it_is_known() {
        assertThat(new ArmError(409, "AnotherOperationInProgress", "Busy.", "c0ffee").describe())
                .isEqualTo("HTTP 409 AnotherOperationInProgress: Busy. (c0ffee)");
        assertThat(new ArmError(409, null, "Busy", null).describe()).isEqualTo("HTTP 409: Busy");
        assertThat(ArmError.ofStatus(503).describe()).isEqualTo("HTTP 503");
        assertThat(new ArmError(null, "Canceled", null, null).describe()).isEqualTo("Canceled");
        assertThat(new ArmError(null, null, null, null).describe()).isNotBlank();
    }

    @Test
    void a_description_is_one_line_without_a_period() {
        assertThat(new Failure.Conflict(new ArmError(409, null, "Busy.\r\n  Come back later.", null)).describe())
                .isEqualTo("HTTP 409: Busy. Come back later");
        assertThat(Failure.Other.terminal("no route to host\n").describe()).isEqualTo("no route to host");
    }

    @Test
    void an_error_of_which_only_the_correlation_id_is_known_is_described_as_such() {
        assertThat(new ArmError(null, null, null, "id").describe())
                .isEqualTo("an error that ARM did not describe (id)");
    }
}
