package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.PoolLocations;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.List;
import java.util.function.LongConsumer;

/** One replay from the first event to the report. */
public final class ReplaySession {

    private final ReplayOptions options;
    private final Replay replay;
    private final EndpointIndex index;
    private final FakeCloud cloud;
    private final ReplayCloud replayCloud;
    private final FakeServiceEvents events;
    private final FakeMetrics metrics;

    public ReplaySession(
            ReplayOptions options,
            Replay replay,
            EndpointIndex index,
            FakeCloud cloud,
            ReplayCloud replayCloud,
            FakeServiceEvents events,
            FakeMetrics metrics) {
        this.options = options;
        this.replay = replay;
        this.index = index;
        this.cloud = cloud;
        this.replayCloud = replayCloud;
        this.events = events;
        this.metrics = metrics;
    }

    /**
     * Plays to the end and lets go of the cloud.
     *
     * @param progress hears the number of events played after each one
     */
    public ReplayResult run(LongConsumer progress) throws BadInputException, InterruptedException {
        try (replayCloud) {
            index.locationsChanged(locations());
            replay.playAndClose(new RecordingPlayer(options.recordings()), progress);
            return ReplayResult.of(options.model(), index, cloud, replayCloud, events, metrics);
        }
    }

    private PoolLocations locations() {
        return switch (replayCloud.directory().list()) {
            case Reply.Ok<List<BackendPool>>(List<BackendPool> pools) ->
                PoolLocations.of(pools.stream().map(BackendPool::key).toList());
            case Reply.Failed<List<BackendPool>>(Failure failure) ->
                throw new IllegalStateException("the load balancers cannot be listed: " + failure.describe());
        };
    }
}
