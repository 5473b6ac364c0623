package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.invariant.Invariant;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each invariant can fail: a bug is planted that it catches by itself within 300 seeds. */
class PlantedBugsTest {

    private static final int SEEDS = 300;
    private static final String ANY = "";

    static Stream<Arguments> bugs() {
        return Stream.of(
                bug(Flaw.DIES, Mode.SAFETY, "S0"),
                bug(Flaw.BELIEVES_IN_LEADERSHIP, Mode.SAFETY, "S1"),
                bug(Flaw.GOES_BY_IDENTITY, Mode.SAFETY, "S1"),
                bug(Flaw.WRITES_UNCONDITIONALLY, Mode.SAFETY, "S2"),
                bug(Flaw.FORGETS_ENTRIES, Mode.SAFETY, "S2"),
                bug(Flaw.MIXES_UP_NODES, Mode.SAFETY, "S3"),
                bug(Flaw.KNOWS_ONE_SLICE, Mode.SAFETY, "S4"),
                bug(Flaw.FORGETS_ON_RELIST, Mode.SAFETY, "S5"),
                bug(Flaw.ANSWERS_EARLY, Mode.SAFETY, "S6"),
                bug(Flaw.IGNORES_THROTTLING, Mode.SAFETY, "S7"),
                bug(Flaw.ENDLESS_BUDGET, Mode.SAFETY, "S8"),
                bug(Flaw.EMPTY_BUDGET, Mode.SAFETY, "S8"),
                bug(Flaw.OBEYS_INVALID_POLICIES, Mode.SAFETY, "S8"),
                bug(Flaw.REVIVES_OLD_STATE, Mode.SAFETY, "S9"),
                bug(Flaw.COUNTS_TWICE, Mode.SAFETY, "S10"),
                bug(Flaw.HIDES_FAILURES, Mode.SAFETY, "S10"),
                bug(Flaw.HIDES_RETRIES, Mode.SAFETY, "S10"),
                bug(Flaw.HIDES_GIVING_UP, Mode.SAFETY, "S10"),
                bug(Flaw.REPEATS_SUCCESSES, Mode.SAFETY, "S10"),
                bug(Flaw.FORGETS_SUCCESSES, Mode.SAFETY, "S10"),
                bug(Flaw.IGNORES_PAUSES, Mode.SAFETY, "S11"),
                bug(Flaw.IGNORES_OPERATORS, Mode.SAFETY, "S11"),
                bug(Flaw.HOLDS_ADDITIONS, Mode.SAFETY, "S12"),
                bug(Flaw.NEVER_BRAKES, Mode.SAFETY, "S13"),
                bug(Flaw.BELIEVES_IN_WRITES, Mode.SAFETY, "S14"),
                bug(Flaw.RENEWS_IN_NAME_ONLY, Mode.SAFETY, "S15"),
                bug(Flaw.LOGS_HEADERS, Mode.SAFETY, "S16"),
                bug(Flaw.STARTS_AT_TICKS, Mode.SAFETY, "S17"),
                bug(Flaw.LOSES_CHANGES, Mode.SAFETY, "S18"),
                bug(Flaw.MISREADS, Mode.SAFETY, "S19"),
                bug(Flaw.NEVER_BACKS_OFF, Mode.SAFETY, "S19"),
                bug(Flaw.ASKS_AGAIN_SOON, Mode.SAFETY, "S20"),
                bug(Flaw.KEEPS_THE_LOCK, Mode.SAFETY, "S21"),
                bug(Flaw.STRAYS, Mode.SAFETY, "S22"),
                bug(Flaw.OPENS_GATES, Mode.SAFETY, "S23"),
                bug(Flaw.REPEATS_STATUSES, Mode.SAFETY, "S24"),
                bug(Flaw.FALLS_SILENT, Mode.SAFETY, "S25"),
                bug(Flaw.HIDES_SUCCESSES, Mode.LIVENESS, "S26"),
                bug(Flaw.IGNORES_QUOTA, Mode.SAFETY, "S27"),
                bug(Flaw.PAUSES_NEIGHBOURS, Mode.SAFETY, "S17"),
                bug(Flaw.LEAVES_ITS_DURATION, Mode.SAFETY, "S28"),
                bug(Flaw.STOPS_AT_REFUSALS, Mode.SAFETY, "S29"),
                bug(Flaw.ASKS_OTHER_NAMESPACES, Mode.SAFETY, "S29"),
                bug(Flaw.REPEATS_HOLDS, Mode.SAFETY, "S30"),
                bug(Flaw.HIDES_HOLDS, Mode.SAFETY, "S30"),
                bug(Flaw.REPORTS_HOLDS_ONCE, Mode.SAFETY, "S30"),
                bug(Flaw.BRAKES_FOR_LONG, Mode.SAFETY, "S31"),
                bug(Flaw.BRAKES_EARLY, Mode.SAFETY, "S31"),
                bug(Flaw.REMEMBERS_NODES, Mode.LIVENESS, "L6"),
                bug(Flaw.LOSES_CHANGES, Mode.LIVENESS, "L1"),
                bug(Flaw.MISREADS, Mode.LIVENESS, "L2"),
                bug(Flaw.ADOPTS_NOTHING, Mode.LIVENESS, "L3"),
                bug(Flaw.NEVER_RESYNCS, Mode.LIVENESS, "L4 repair"),
                bug(Flaw.NEVER_STANDS_AGAIN, Mode.LIVENESS, "L4 failover"),
                bug(Flaw.NEVER_FORGETS, Mode.LIVENESS, "L6"),
                bug(Flaw.RETRIES_FOR_EVER, Mode.LIVENESS, "L5"));
    }

    private static Arguments bug(Flaw flaw, Mode mode, String invariant) {
        return Arguments.of(flaw, mode, invariant);
    }

    @ParameterizedTest(name = "{0} is caught by {2}")
    @MethodSource("bugs")
    void a_planted_bug_is_caught_within_300_seeds(Flaw flaw, Mode mode, String invariant) {
        // given
        DaemonFlaws flaws = new DaemonFlaws(EnumSet.of(flaw));
        // when
        Optional<RunResult> caught = firstFailure(flaws, mode, invariant.length() <= 3 ? invariant + " " : invariant);
        // then
        assertThat(caught).as("%s within %d seeds", invariant, SEEDS).isPresent();
        assertThat(caught.orElseThrow().violation().orElseThrow().story()).isNotBlank();
    }

    /** @param only how the names of the invariants begin that are looked at */
    private static Optional<RunResult> firstFailure(DaemonFlaws flaws, Mode mode, String only) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            RunResult run = Simulation.run(Schedule.of(seed, mode, 10), flaws, only);
            if (run.violation().isPresent()) {
                return Optional.of(run);
            }
        }
        return Optional.empty();
    }

    @Test
    void every_invariant_has_a_planted_bug() {
        List<String> caught =
                bugs().map(bug -> String.valueOf(bug.get()[2])).distinct().toList();
        assertThat(Simulation.invariants())
                .extracting(Invariant::name)
                .allSatisfy(name -> assertThat(caught).anyMatch(prefix -> (name + " ").startsWith(prefix + " ")));
    }

    @Test
    void a_failing_schedule_is_shortened_and_still_fails() {
        // given
        DaemonFlaws flaws = new DaemonFlaws(Set.of(Flaw.KNOWS_ONE_SLICE));
        RunResult failed = firstFailure(flaws, Mode.SAFETY, ANY).orElseThrow();
        // when
        Schedule small = Shrinker.shrink(failed, flaws);
        // then
        assertThat(small.steps()).hasSizeLessThan(failed.schedule().steps().size() / 10);
        assertThat(Simulation.run(small, flaws, false).violation().orElseThrow().invariant())
                .isEqualTo(failed.violation().orElseThrow().invariant());
    }
}
