package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.Term;
import java.time.Instant;
import java.util.List;
import java.util.function.LongConsumer;

/** One replay from the first event to the report. */
public final class ReplaySession {

    private final ReplayOptions options;
    private final Replay replay;
    private final Engine engine;
    private final EndpointIndex index;
    private final ReplayCloud cloud;
    private final ReplayRecords records;

    public ReplaySession(
            ReplayOptions options,
            Replay replay,
            Engine engine,
            EndpointIndex index,
            ReplayCloud cloud,
            ReplayRecords records) {
        this.options = options;
        this.replay = replay;
        this.engine = engine;
        this.index = index;
        this.cloud = cloud;
        this.records = records;
    }

    /**
     * Plays to the end, or until the calling thread is interrupted or the speed is stopped, and closes the cloud.
     *
     * @param progress receives the number of events played, after each one
     * @return the result so far
     */
    public ReplayResult run(LongConsumer progress) throws BadInputException {
        try (cloud) {
            list();
            Instant lastEvent = play(progress);
            List<Call> calls = cloud.calls();
            Instant end = calls.stream().map(Call::at).reduce(lastEvent, (a, b) -> a.isAfter(b) ? a : b);
            FreshnessResult freshness = FreshnessResult.of(engine.freshness(end), records.metrics(), calls, end);
            return ReplayResult.of(options.engine().model(), index, cloud, records, freshness);
        }
    }

    private Instant play(LongConsumer progress) throws BadInputException {
        try {
            return replay.playAndClose(new RecordingPlayer(options.input().recordings()), progress);
        } catch (InterruptedException e) {
            return replay.now();
        }
    }

    private void list() {
        engine.startLeading(Term.untilEnded());
        engine.step();
        engine.status().listing().failure().ifPresent(failure -> {
            throw new IllegalStateException("the load balancers cannot be listed: " + failure.describe());
        });
    }
}
