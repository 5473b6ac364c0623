package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The recordings of this repository with their faults through the real SDK over TLS. */
class RecordingsOverHttpsTest {

    private static final Path RECORDINGS = Path.of("..", "recordings");

    @ParameterizedTest
    @CsvSource({
        "churn-small, a-bad-minute",
        "churn-small, exhausted",
        "churn-large, a-bad-minute",
        "churn-large, exhausted",
        "comings-and-goings, a-bad-minute",
        "comings-and-goings, exhausted",
        "comings-and-goings, rough-start",
    })
    void each_pool_converges_or_its_failure_is_reported(String name, String faults) throws Exception {
        EmulatedRun run = EmulatedRun.of(options(name, faults), settings -> settings);

        run.assertEachWriteHasIfMatch();
        run.assertNothingGoesThroughAShutGate();
        run.assertNoTwoWritesToOneLoadBalancerAtTheSameTime();
        assertThat(run.requests()).anyMatch(request -> request.status() >= 400);
        assertThat(run.result().pools())
                .isNotEmpty()
                .allMatch(pool -> pool.converged() || wasToldOfFailure(run, pool) || wasNotFound(run, pool.key()));
    }

    private static ReplayOptions options(String name, String faults) throws Exception {
        Recording recording = Recording.of(RECORDINGS.resolve(name + ".jsonl.gz"));
        return ReplayOptions.reference(
                new ReplayInput(
                        List.of(recording),
                        0,
                        Inventory.read(RECORDINGS.resolve(name + ".inventory.json")),
                        Faults.read(RECORDINGS.resolve("faults").resolve(faults + ".json"))),
                ReplayOptions.Via.HTTPS,
                EngineSettings.REFERENCE.withPace(new Pace.Tick(Duration.ofSeconds(5))));
    }

    private static boolean wasToldOfFailure(EmulatedRun run, PoolResult pool) {
        return run.result().events().stream()
                .map(Emitted::event)
                .anyMatch(event -> event.reason() == ServiceEvent.Reason.FAILED
                        && event.pool().equals(pool.key())
                        && pool.services().contains(event.service().toString()));
    }

    /** The last response about the pool was a 404: it is dropped as deleted, without an event. */
    private static boolean wasNotFound(EmulatedRun run, PoolKey pool) {
        return run.requests().stream()
                .filter(request ->
                        pool.equals(PoolKey.of(String.valueOf(request.loadBalancer()), String.valueOf(request.pool()))))
                .reduce((before, last) -> last)
                .map(last -> last.status() == 404)
                .orElse(false);
    }
}
