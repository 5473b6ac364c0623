package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SentConditionsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1000);
    private static final ReadinessCondition MET = new ReadinessCondition(true, "InPool", "in the pool", NOW);
    private static final ReadinessCondition NOT_MET = new ReadinessCondition(false, "WaitingForPool", "not yet", NOW);
    private static final PodState POD = new PodState(
            new PodId("shop", "web-1", "uid-1"),
            Map.of(),
            true,
            false,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            "1");

    private final SentConditions sent = new SentConditions();

    @Test
    void a_replaced_pod_is_left_alone_for_five_seconds() {
        assertThat(sent.isDue(POD, NOW)).isTrue();
        sent.outdated(POD, NOW);
        assertThat(sent.isDue(POD, NOW.plusMillis(4999))).isFalse();
        assertThat(sent.isDue(POD, NOW.plusSeconds(5))).isTrue();
    }

    @Test
    void a_written_condition_counts_until_the_watch_shows_another() {
        sent.written(POD, NOT_MET, NOW);
        assertThat(sent.isDue(POD, NOW)).isTrue();
        assertThat(sent.current(POD, NOW.plusSeconds(29))).contains(NOT_MET);
        assertThat(sent.current(POD, NOW.plusSeconds(30))).isEmpty();
        ReadinessCondition other = new ReadinessCondition(false, "Held", "held", NOW);
        assertThat(sent.current(POD.withCondition(other), NOW)).contains(other);
    }

    @Test
    void a_written_true_counts_however_long_the_watch_is_silent() {
        sent.written(POD, MET, NOW);
        assertThat(sent.current(POD, NOW.plusSeconds(3_600))).contains(MET);
        assertThat(sent.current(POD.withCondition(NOT_MET), NOW)).contains(NOT_MET);
    }

    @Test
    void pods_that_no_longer_wait_are_forgotten() {
        sent.written(POD, MET, NOW);
        sent.retain(Set.of());
        assertThat(sent.current(POD, NOW)).isEmpty();
    }
}
