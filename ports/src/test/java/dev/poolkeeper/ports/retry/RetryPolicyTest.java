package dev.poolkeeper.ports.retry;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    private static RetryPolicy of(Set<Integer> codes, int attempts, Duration backoff, Duration request, Duration each) {
        return new RetryPolicy(codes, attempts, backoff, request, each);
    }

    private static void assertRefused(Runnable policy, String message) {
        assertThatThrownBy(policy::run)
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 399, 600, 999})
    @Rule(
            id = "P01",
            says = "retry.codes takes statuses from 400 to 599.",
            source = "GEP-1731: implementations SHOULD NOT support retrying status codes in the 100-399 range")
    void codes_outside_400_to_599_are_refused(int code) {
        assertRefused(
                () -> of(Set.of(code), 1, ZERO, ZERO, ZERO),
                "retry.codes: found " + code + ", must be a status from 400 to 599");
    }

    @Test
    @Rule(
            id = "P02",
            says = "409, 412 and 429 are not retried inside a call to ARM, regardless of the policy: the"
                    + " updater and the throttling gate handle them. The configuration rejects them; in a"
                    + " manifest they are ignored with a note.",
            source = "ours")
    void codes_of_other_layers_are_left_to_them() {
        assertThat(of(Set.of(409, 412, 429, 503), 2, ZERO, ZERO, ofSeconds(1)).withoutElsewhere())
                .isEqualTo(of(Set.of(503), 2, ZERO, ZERO, ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    @Rule(
            id = "P03",
            says = "500, 502, 503 and 504 are retried if listed.",
            source = "GEP-1731: implementations MUST support the following status codes as retryable")
    void the_four_required_codes_are_supported(int code) {
        assertThat(of(Set.of(code), 1, ZERO, ZERO, ZERO).retries(code)).isTrue();
        assertThat(of(Set.of(408), 1, ZERO, ZERO, ZERO).retries(code)).isFalse();
    }

    @Test
    @Rule(id = "P04", says = "retry.attempts: 0 switches retries off.", source = "ours")
    void zero_attempts_mean_no_retries() {
        assertThat(of(Set.of(503), 0, ZERO, ZERO, ZERO).isOn()).isFalse();
        assertThat(of(Set.of(503), 0, ZERO, ZERO, ZERO).retries(503)).isFalse();
        assertRefused(
                () -> of(Set.of(), -1, ZERO, ZERO, ZERO), "retry.attempts: found -1, must be 0 (no retries) or more");
    }

    @Test
    @Rule(
            id = "P05",
            says = "timeouts.backendRequest is not longer than timeouts.request, unless that is 0s, which is no limit.",
            source = "HTTPRoute's validation; GEP-1742")
    void an_attempt_may_not_take_longer_than_the_request() {
        assertRefused(
                () -> of(Set.of(), 1, ZERO, ofSeconds(1), ofMillis(1_001)),
                "timeouts.backendRequest: found 1s1ms, must not be longer than timeouts.request, which is 1s");
        assertThat(of(Set.of(), 1, ZERO, ofSeconds(1), ofSeconds(1)).backendRequest())
                .isEqualTo(ofSeconds(1));
        assertThat(of(Set.of(), 1, ZERO, ZERO, ofSeconds(9)).backendRequest()).isEqualTo(ofSeconds(9));
        assertThat(of(Set.of(), 1, ZERO, ofSeconds(1), ZERO).request()).isEqualTo(ofSeconds(1));
    }

    @Test
    @Rule(
            id = "P06",
            says = "A timeout that is not 0s is at least 1ms; durations have whole milliseconds and no sign.",
            source = "GEP-1742: MUST be >= 1ms; GEP-2257")
    void durations_have_whole_milliseconds_and_no_sign() {
        assertRefused(
                () -> of(Set.of(), 1, ofMillis(-1), Duration.ofNanos(1), Duration.ofNanos(1_000_001)),
                "retry.backoff: found PT-0.001S, must be a duration in whole milliseconds, 0s or more;"
                    + " timeouts.request: found PT0.000000001S, must be a duration in whole milliseconds, 0s or more;"
                    + " timeouts.backendRequest: found PT0.001000001S, must be a duration in whole milliseconds, 0s or"
                    + " more");
    }

    @Test
    @Rule(
            id = "P07",
            says = "By default, 408, 500, 502, 503, 504 and connection errors are retried three times, at least"
                    + " 800 ms apart, with 60 s per attempt.",
            source = "ours")
    void the_default_is_what_the_sdk_does() {
        assertThat(RetryPolicy.DEFAULT.codes()).isEqualTo(Set.of(408, 500, 502, 503, 504));
        assertThat(List.of(RetryPolicy.DEFAULT.backoff(), RetryPolicy.DEFAULT.backendRequest()))
                .containsExactly(ofMillis(800), ofSeconds(60));
        assertThat(RetryPolicy.DEFAULT.attempts()).isEqualTo(3);
    }
}
