package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import dev.poolkeeper.simulation.schedule.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small simulation in each build; {@code poolkeeper simulate} runs larger ones. */
class SmallSimulationTest {

    private static final int SEEDS = 50;

    /** A seed with two clusters and every option. */
    private static final long EVERYTHING = 79_727;

    /** A seed in which a process is stopped while it makes several calls. */
    private static final long STOPPED_IN_CALLS = 47;

    @Test
    void every_invariant_holds_under_every_kind_of_fault() throws InterruptedException {
        // when
        CampaignResult result = new Campaign(1, SEEDS, 2, List.of(Mode.SAFETY, Mode.LIVENESS), 10, done -> {}).run();
        // then
        assertThat(result.failures())
                .extracting(run -> run.violation().orElseThrow())
                .isEmpty();
        assertThat(result.runs()).isEqualTo(2L * SEEDS).isGreaterThanOrEqualTo(CampaignResult.ENOUGH_RUNS);
        assertThat(result.missing()).isEmpty();
        assertThat(result.leastChanges()).isGreaterThanOrEqualTo(200);
    }

    /**
     * In these runs an invariant was once too strict: a cluster at rest shows states that a busy one never stays in.
     */
    @ParameterizedTest(name = "seed {0}, {1}")
    @CsvSource({"184, SAFETY", "709, LIVENESS", "1495, SAFETY", "1551, SAFETY", "2093, LIVENESS", "4913, LIVENESS"})
    void every_invariant_holds_with_few_steps(long seed, Mode mode) {
        // when
        RunResult run = Simulation.run(withFewSteps(seed, mode), DaemonFlaws.NONE, false);
        // then
        assertThat(run.violation()).isEmpty();
    }

    /** A half, a quarter or a sixth of the steps. */
    private static Schedule withFewSteps(long seed, Mode mode) {
        int oneOf = 2 + 2 * (int) (seed % 3);
        SplittableRandom random = new SplittableRandom(seed);
        Schedule all = Schedule.of(seed, mode, 10);
        return all.keeping(
                all.steps().stream().filter(step -> random.nextInt(oneOf) == 0).toList());
    }

    @Test
    void a_seed_repeats_a_run_exactly() {
        // given
        assertThat(Setup.of(EVERYTHING))
                .isEqualTo(new Setup(
                        1,
                        UpdateModel.DESIRED_STATE,
                        true,
                        true,
                        true,
                        Setup.Selection.NAMED,
                        true,
                        true,
                        true,
                        true,
                        4.5));
        Schedule schedule = Schedule.of(EVERYTHING, Mode.SAFETY, 10);
        // when
        RunResult once = Simulation.run(schedule, DaemonFlaws.NONE, true);
        RunResult again = Simulation.run(schedule, DaemonFlaws.NONE, true);
        // then
        assertThat(once.timeline()).hasSizeGreaterThan(300).isEqualTo(again.timeline());
        assertThat(once.events()).isEqualTo(again.events());
        assertThat(once.files().recording()).isEqualTo(again.files().recording());
    }

    /** Identity hash codes depend on what a JVM did before: here they are all 1. */
    @Test
    void a_seed_gives_the_same_run_in_another_jvm() throws IOException {
        List<RunJson.Order> orders = List.of(
                new RunJson.Order(EVERYTHING, Mode.SAFETY, 10, true),
                new RunJson.Order(EVERYTHING, Mode.LIVENESS, 10, true),
                new RunJson.Order(STOPPED_IN_CALLS, Mode.SAFETY, 10, true));
        try (SimulatingJvm jvm =
                SimulatingJvm.start(orders.size(), "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2")) {
            for (RunJson.Order order : orders) {
                List<String> there = jvm.run(order).timeline();
                List<String> here =
                        Simulation.run(order.schedule(), DaemonFlaws.NONE, true).timeline();
                assertThat(there).hasSizeGreaterThan(300).hasSameSizeAs(here);
                for (int line = 0; line < here.size(); line++) {
                    assertThat(there.get(line)).as("line %d", line).isEqualTo(here.get(line));
                }
            }
        }
    }

    @Test
    void a_jvm_leaves_no_files() throws IOException {
        Path errors;
        try (SimulatingJvm jvm = SimulatingJvm.start(1)) {
            errors = jvm.errors();
            jvm.run(new RunJson.Order(1, Mode.SAFETY, 1, false));
            assertThat(errors).exists();
        }
        assertThat(errors).doesNotExist();
    }

    @Test
    void a_campaign_that_misses_a_kind_of_fault_does_not_pass() {
        // given
        CampaignResult.Builder runs = new CampaignResult.Builder();
        Schedule calm = new Schedule(1, Mode.SAFETY, 10_000, List.of());
        RunResult run = Simulation.run(calm, DaemonFlaws.NONE, false);
        // when
        for (int i = 0; i < CampaignResult.ENOUGH_RUNS; i++) {
            runs.add(run);
        }
        CampaignResult result = runs.build(10, 0);
        // then
        assertThat(result.failures()).isEmpty();
        assertThat(result.isGood()).isFalse();
        assertThat(result.missing()).contains("fault CRASH", "met throttled_writes", "watch ended with 410");
    }
}
