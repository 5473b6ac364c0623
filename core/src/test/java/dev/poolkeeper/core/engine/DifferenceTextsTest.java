package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ProvisioningState;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DifferenceTextsTest {

    private static final String CAUSE = "End the cause; the next EndpointSlice event or comparison retries it.";
    private static final String EVENT =
            "The next EndpointSlice event or comparison retries it; restart or scale a" + " backing pod to cause one.";

    private static Failure http(int status) {
        return new Failure.HttpError(status, new ArmError(status, null, null, null));
    }

    private static String remedy(Failure failure) {
        return new Difference(new Why.GaveUp(failure), Optional.empty(), Optional.empty()).remedy();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 413, 422, 499})
    void what_another_attempt_cannot_mend_is_to_be_ended(int status) {
        assertThat(remedy(http(status))).isEqualTo(CAUSE);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 502, 503, 504, 599})
    void what_may_pass_is_retried_by_an_event(int status) {
        assertThat(remedy(http(status))).isEqualTo(EVENT);
    }

    @Test
    void a_failure_of_our_own_is_told_by_whether_it_passes() {
        assertThat(remedy(Failure.Other.terminal("the pool cannot be written"))).isEqualTo(CAUSE);
        assertThat(remedy(Failure.Other.retriable("connection reset"))).isEqualTo(EVENT);
        assertThat(remedy(new Failure.Conflict(new ArmError(409, null, null, null))))
                .isEqualTo(EVENT);
    }

    static Stream<Arguments> sentences() {
        Failure notApplied = Failure.Other.retriable("the write was accepted but not applied");
        return Stream.of(
                Arguments.of(
                        new Why.Parked(Optional.of(Failure.Throttled.atGate(Instant.EPOCH))),
                        "No request was sent: Azure is throttling, or the client-side rate limit is exhausted."),
                Arguments.of(
                        new Why.Retrying(notApplied),
                        "The last attempt failed: the write was accepted but not applied."),
                Arguments.of(
                        new Why.NotCompared(Optional.of(notApplied), Optional.of(ProvisioningState.UPDATING), true),
                        "The last attempt failed: the write was accepted but not applied."),
                Arguments.of(
                        new Why.NotCompared(Optional.empty(), Optional.of(ProvisioningState.UPDATING), true),
                        "The pool's provisioningState is Updating, so its contents may not be in force."),
                Arguments.of(
                        new Why.NotCompared(Optional.empty(), Optional.of(ProvisioningState.SUCCEEDED), true),
                        "The pool was changed by another writer."),
                Arguments.of(
                        new Why.NotCompared(Optional.empty(), Optional.empty(), false),
                        "The pool differs from the wanted addresses, and no update is queued for it."),
                Arguments.of(
                        Why.Plain.SHORT_OF_QUOTA,
                        "The remaining Azure quota is low: outages are written first, other pools one at a time."));
    }

    @ParameterizedTest
    @MethodSource("sentences")
    void a_cause_is_one_sentence(Why why, String sentence) {
        assertThat(new Difference(why, Optional.empty(), Optional.empty()).text())
                .isEqualTo(sentence);
    }
}
