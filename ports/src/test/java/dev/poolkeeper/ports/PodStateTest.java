package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStateTest {

    private static final ReadinessCondition WAITS = new ReadinessCondition(false, "Waiting", "for it", Instant.EPOCH);

    private static PodState pod(boolean gated, boolean ending, Optional<ReadinessCondition> condition) {
        PodId id = new PodId("shop", "web-0", "uid");
        return new PodState(
                id, Map.of("app", "web"), gated, ending, Optional.of("n1"), List.of("10.0.0.1"), condition, "7");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "true, false, -, true",
                "true, false, false, true",
                "true, false, true, false",
                "true, true, -, false",
                "true, true, false, false",
                "false, false, -, false",
                "false, false, false, false"
            })
    void a_pod_waits_if_it_has_the_gate_and_the_condition_is_not_met(
            boolean gated, boolean ending, Boolean met, boolean isWaiting) {
        Optional<ReadinessCondition> condition =
                Optional.ofNullable(met).map(is -> new ReadinessCondition(is, "A", "b", Instant.EPOCH));
        assertThat(pod(gated, ending, condition).isWaiting()).isEqualTo(isWaiting);
    }

    @Test
    void another_condition_or_version_changes_nothing_else() {
        PodState pod = pod(true, false, Optional.empty());
        PodState changed = pod.withCondition(WAITS).withVersion("8");
        assertThat(changed.condition()).contains(WAITS);
        assertThat(changed.version()).isEqualTo("8");
        assertThat(changed.withVersion("7")).isEqualTo(pod(true, false, Optional.of(WAITS)));
        assertThat(pod(true, true, Optional.of(WAITS)).withCondition(WAITS).withVersion("7"))
                .isEqualTo(pod(true, true, Optional.of(WAITS)));
    }

    @ParameterizedTest
    @CsvSource({
        "false, Waiting, for it, true",
        "true, Waiting, for it, false",
        "false, Waits, for it, false",
        "false, Waiting, for them, false"
    })
    void the_content_of_a_condition_is_all_but_its_time(boolean met, String reason, String message, boolean isSame) {
        ReadinessCondition other = new ReadinessCondition(met, reason, message, Instant.MAX);
        assertThat(WAITS.hasSameContentAs(other)).isEqualTo(isSame);
        assertThat(other.hasSameContentAs(WAITS)).isEqualTo(isSame);
    }

    @Test
    void a_pod_is_shown_by_its_namespace_and_name() {
        assertThat(new PodId("shop", "web-0", "uid")).hasToString("shop/web-0");
    }

    @Test
    void a_term_is_current_until_it_ends_or_the_leadership_is_lost() {
        boolean[] leads = {true};
        Term during = Term.during(() -> leads[0]);
        Term until = Term.untilEnded();
        assertThat(during.isCurrent()).isTrue();
        assertThat(until.isCurrent()).isTrue();
        leads[0] = false;
        assertThat(during.isCurrent()).isFalse();
        leads[0] = true;
        during.end();
        until.end();
        assertThat(during.isCurrent()).isFalse();
        assertThat(until.isCurrent()).isFalse();
    }
}
