package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.invariant.Invariant;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which update model the daemons of a seed use, and which promises are checked for it. */
class ModelsTest {

    private static Schedule schedule(long seed, Mode mode) {
        return Schedule.of(seed, mode, 10);
    }

    private static boolean isDiff(long seed) {
        return schedule(seed, Mode.SAFETY).setup().model() == UpdateModel.DIFF;
    }

    @Test
    void the_seed_decides_the_model_in_both_modes() {
        // given
        List<Long> seeds = LongStream.rangeClosed(1, 1000).boxed().toList();
        // then
        assertThat(seeds).filteredOn(ModelsTest::isDiff).hasSizeBetween(150, 250);
        assertThat(seeds)
                .allSatisfy(
                        seed -> assertThat(schedule(seed, Mode.LIVENESS).setup().model())
                                .isEqualTo(schedule(seed, Mode.SAFETY).setup().model()));
    }

    @Test
    void the_diff_model_is_checked_only_for_its_own_promises() {
        assertThat(Simulation.invariants())
                .allSatisfy(invariant -> assertThat(invariant.isAskedOf(UpdateModel.DESIRED_STATE))
                        .isTrue())
                .filteredOn(invariant -> invariant.isAskedOf(UpdateModel.DIFF))
                .extracting(Invariant::name)
                .contains("S2 conditional and conservative writes", "S8 bounded retries", "L1 convergence")
                .doesNotContain("S5 no emptying by ignorance", "S12 whole additions");
    }

    @Test
    void a_bug_in_diff_is_caught() {
        // given
        long seed = LongStream.iterate(1, next -> next + 1)
                .filter(ModelsTest::isDiff)
                .findFirst()
                .orElseThrow();
        // when
        RunResult run = Simulation.run(
                schedule(seed, Mode.SAFETY), new DaemonFlaws(Set.of(Flaw.WRITES_UNCONDITIONALLY)), "S2 ");
        // then
        assertThat(run.coverage().times()).containsKey("model DIFF");
        assertThat(run.violation()).isPresent();
    }
}
