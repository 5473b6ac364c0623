package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.time.Instant;
import java.util.List;
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
        "ParentResourceNotFound, true",
        "parentResourceNOTFOUND, true",
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

    @ParameterizedTest
    @CsvSource({
        "NOT_RETRIABLE, 503, 'HTTP 503 Busy, not retried: the retry policy does not cover it'",
        "NOT_RETRIABLE, 408, 'HTTP 408 Busy, not retried: the retry policy does not cover it'",
        "NOT_RETRIABLE, 400, HTTP 400 Busy",
        "NOT_RETRIABLE, 501, HTTP 501 Busy",
        "ATTEMPTS_EXHAUSTED, 503, HTTP 503 Busy",
        "BUDGET_REFUSED, 503, 'HTTP 503 Busy, not retried: the retry budget refused'",
        "BUDGET_REFUSED, 400, 'HTTP 400 Busy, not retried: the retry budget refused'",
        "FENCED, 503, 'HTTP 503 Busy, not retried: leadership or the resource lock was lost'",
        "TIMED_OUT, 503, 'HTTP 503 Busy, not retried: the request timeout has expired'",
        ", 503, HTTP 503 Busy"
    })
    void an_error_says_why_it_was_not_retried_if_one_would_expect_that_it_is(
            CallRetries.Reason reason, int status, String text) {
        ArmError error = new ArmError(status, "Busy", null, "id");
        Failure failure = new Failure.HttpError(status, error, reason);
        assertThat(failure.note()).isEqualTo(text);
        assertThat(failure.describe()).isEqualTo(text.replace(" Busy", " Busy (id)"));
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_RETRIABLE, 'no route, not retried: the retry policy does not cover it'",
        "ATTEMPTS_EXHAUSTED, no route",
        "BUDGET_REFUSED, 'no route, not retried: the retry budget refused'",
        "FENCED, 'no route, not retried: leadership or the resource lock was lost'",
        "TIMED_OUT, 'no route, not retried: the request timeout has expired'"
    })
    void a_request_without_an_answer_says_why_it_was_not_retried(CallRetries.Reason reason, String text) {
        Failure.Other failure = Failure.Other.unanswered("no\nroute.", reason);
        assertThat(failure.describe()).isEqualTo(text);
        assertThat(failure.note()).isEqualTo(text);
        assertThat(failure.retriable()).isTrue();
        assertThat(Failure.Other.retriable("a").retriable()).isTrue();
        assertThat(Failure.Other.terminal("a").retriable()).isFalse();
    }

    @Test
    void a_note_has_no_correlation_id() {
        ArmError error = new ArmError(409, "Busy", "Wait.", "c0ffee");
        for (Failure failure : List.of(
                new Failure.NotFound(error),
                Failure.Throttled.byArm(null, error),
                new Failure.Conflict(error),
                new Failure.PreconditionFailed(error),
                new Failure.HttpError(409, error))) {
            assertThat(failure.note()).isEqualTo("HTTP 409 Busy: Wait");
            assertThat(failure.describe()).isEqualTo("HTTP 409 Busy: Wait. (c0ffee)");
        }
    }

    @Test
    void a_fence_that_shuts_after_a_failure_names_it_once() {
        Failure shut = Failure.Cancelled.atFence();
        Failure after = Failure.Cancelled.atFence(new Failure.Conflict(ArmError.ofStatus(409)));
        assertThat(shut.describe()).isEqualTo("leadership or the resource lock was lost");
        assertThat(after.describe()).isEqualTo("leadership or the resource lock was lost after HTTP 409");
        assertThat(Failure.Cancelled.atFence(shut)).isSameAs(shut);
        assertThat(Failure.Cancelled.atFence(after)).isSameAs(after);
        assertThat(Failure.Cancelled.atFence(new Failure.Cancelled("closed")).describe())
                .isEqualTo("leadership or the resource lock was lost after closed");
        assertThat(new Failure.Cancelled("closed").fenced()).isFalse();
        assertThat(List.of(shut, after)).allMatch(each -> ((Failure.Cancelled) each).fenced());
    }

    @ParameterizedTest
    @CsvSource({
        "PRIVATE_LINK, 'the pool holds private endpoints of Private Link: use a load balancer without Private Link"
                + " for'",
        "CROSS_REGION, 'the pool holds frontends of regional load balancers, as in a cross-region load balancer: use'",
        "NETWORK_INTERFACES, 'the pool holds network interfaces instead of IP addresses: set'",
        "AUTOMATIC, 'the pool''s syncMode is Automatic, so Azure itself manages its members: set syncMode to Manual'"
    })
    void a_pool_that_is_never_written_says_why(Unwritable why, String text) {
        Failure refusal = why.refusal(PoolKey.of("Lb", "Pool"));
        assertThat(refusal.describe()).startsWith("pool Lb/Pool is never written: " + text);
        assertThat(((Failure.Other) refusal).retriable()).isFalse();
    }

    @Test
    void a_failure_repeats_one_that_differs_only_in_id_and_time() {
        ArmError first = new ArmError(429, "Busy", "later", "c-1");
        ArmError second = new ArmError(429, "Busy", "later", "c-2");
        Failure throttled = Failure.Throttled.byArm(Instant.EPOCH, first);
        assertThat(Failure.Throttled.byArm(null, second).repeats(throttled)).isTrue();
        assertThat(new Failure.Conflict(first).repeats(throttled)).isFalse();
        assertThat(new Failure.Conflict(ArmError.ofStatus(409)).repeats(new Failure.Conflict(second)))
                .isFalse();
        assertThat(Failure.Other.retriable("lost").repeats(Failure.Other.retriable("lost")))
                .isTrue();
        assertThat(Failure.Other.retriable("lost").repeats(throttled)).isFalse();
    }
}
