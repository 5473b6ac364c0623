package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.Throttling;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.ports.ServiceEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred pools of one subscription change at once, and ARM lets ten writes a minute through. */
class WriteQuotaTest {

    private static final int POOLS = 100;
    private static final Throttling TEN_WRITES_A_MINUTE =
            Throttling.DOCUMENTED.withNetworkWrites(new Throttling.Window(10, Duration.ofMinutes(1)));

    @TempDir
    private Path folder;

    private EmulatedRun run(String model) throws Exception {
        return EmulatedRun.of(scenario(model), settings -> settings.withThrottling(TEN_WRITES_A_MINUTE));
    }

    private ReplayOptions scenario(String model) throws Exception {
        Scenario scenario =
                new Scenario(folder).model(model).maxRetries(3).interval("10").node("n-1", "10.0.0.4");
        for (int i = 0; i < POOLS; i++) {
            String service = "shop/web-" + i;
            scenario.pool("lb-" + i % 4 + "/shop-web-" + i, "10.0.0.9")
                    .localService(service)
                    .slice(service, "web-" + i, "n-1");
        }
        return scenario.options(ReplayOptions.Via.HTTPS);
    }

    private static long failedEvents(EmulatedRun run) {
        return run.result().events().stream()
                .map(Emitted::event)
                .filter(event -> event.reason() == ServiceEvent.Reason.FAILED)
                .count();
    }

    @Test
    void desired_state_loses_no_update_and_writes_each_pool_once() throws Exception {
        EmulatedRun run = run("desired-state");

        assertThat(run.result().pools()).hasSize(POOLS).allMatch(PoolResult::converged);
        assertThat(failedEvents(run)).isZero();
        Map<String, Long> writes = run.writes().stream()
                .filter(write -> write.status() / 100 == 2)
                .collect(Collectors.groupingBy(write -> String.valueOf(write.pool()), Collectors.counting()));
        assertThat(writes)
                .hasSize(POOLS)
                .allSatisfy((pool, count) -> assertThat(count).isEqualTo(1));
        assertThat(run.writes()).filteredOn(write -> write.status() == 429).isNotEmpty();
        run.assertEachWriteHasIfMatch();
        run.assertNothingGoesThroughAShutGate();
        run.assertNoTwoWritesToOneLoadBalancerAtTheSameTime();
    }

    @Test
    @Rule(
            id = "J26",
            says = "At the eager pace a quota of ten writes a minute that ARM's responses report is kept without a"
                    + " single refusal, and every pool is written once.",
            source = "ours")
    void the_eager_pace_slows_down_before_it_is_throttled() throws Exception {
        Throttling documented = Throttling.DOCUMENTED.withWrites(new Throttling.Bucket(10, 10 / 60.0));

        EmulatedRun run =
                EmulatedRun.of(eager(scenario("desired-state")), settings -> settings.withThrottling(documented));

        assertThat(run.result().pools()).hasSize(POOLS).allMatch(PoolResult::converged);
        assertThat(run.writes())
                .hasSize(POOLS)
                .extracting(AnsweredRequest::status)
                .doesNotContain(429);
    }

    private static ReplayOptions eager(ReplayOptions options) {
        Pace.Eager eager =
                new Pace.Eager(Pace.Eager.DEFAULT.gather(), Pace.Eager.DEFAULT.longestWait(), options.interval());
        return ReplayOptions.reference(
                options.input(), options.via(), options.engine().withPace(eager));
    }

    /**
     * In {@code diff} a refusal at the gate counts as an attempt, as in Go: updates may be lost, but each loss is
     * reported.
     */
    @Test
    void diff_may_lose_updates_but_reports_each() throws Exception {
        EmulatedRun run = run("diff");

        assertThat(run.result().isExplained()).isTrue();
        assertThat(run.result().pools().stream()
                        .filter(pool -> !pool.converged())
                        .count())
                .isEqualTo(failedEvents(run));
        assertThat(run.writes()).extracting(AnsweredRequest::status).contains(429);
        run.assertNothingGoesThroughAShutGate();
    }
}
