package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class CampaignTest {

    @Test
    void a_campaign_without_failures_runs_every_seed() throws InterruptedException {
        CampaignResult result = run(seed -> false);

        assertThat(result.runs()).isEqualTo(100);
        assertThat(result.seedsNotRun()).isZero();
    }

    @Test
    void a_campaign_with_ten_failures_counts_the_seeds_that_it_does_not_run() throws InterruptedException {
        // given: every second seed fails, from 2 to 20
        CampaignResult result = run(seed -> seed % 2 == 0);

        assertThat(result.failures()).hasSize(10);
        assertThat(result.runs()).isEqualTo(20);
        assertThat(result.seedsNotRun()).isEqualTo(80);
    }

    @Test
    void a_campaign_that_is_stopped_counts_the_seeds_that_it_does_not_run() throws InterruptedException {
        Campaign[] campaign = new Campaign[1];
        campaign[0] = campaign(seed -> {
            if (seed == 3) {
                campaign[0].stop();
            }
            return false;
        });

        assertThat(campaign[0].run().seedsNotRun()).isEqualTo(97);
    }

    private static CampaignResult run(LongPredicate fails) throws InterruptedException {
        return campaign(fails).run();
    }

    /** A hundred seeds in one mode, one after the other. */
    private static Campaign campaign(LongPredicate fails) {
        return new Campaign(1, 100, 1, List.of(Mode.SAFETY), 10, done -> {}, runs -> new Campaign.Simulator() {
            @Override
            public RunResult run(RunJson.Order order) {
                return result(order.seed(), fails.test(order.seed()));
            }

            @Override
            public void close() {}
        });
    }

    private static RunResult result(long seed, boolean failed) {
        return new RunResult(
                new Schedule(seed, Mode.SAFETY, 10, List.of()),
                failed ? Optional.of(new Violation("N1", "a promise", 1, "a story")) : Optional.empty(),
                1,
                1,
                1,
                new Coverage(),
                List.of(),
                new RunFiles());
    }
}
