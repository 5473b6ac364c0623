package dev.poolkeeper.app.replay;

import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.PoolLocations;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.input.BadInputException;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import java.util.function.LongConsumer;

/** One replay from the first event to the report. */
public final class ReplaySession {

    private final ReplayOptions options;
    private final Replay replay;
    private final EndpointIndex index;
    private final FakeCloud cloud;
    private final FakeServiceEvents events;
    private final FakeMetrics metrics;

    public ReplaySession(
            ReplayOptions options,
            Replay replay,
            EndpointIndex index,
            FakeCloud cloud,
            FakeServiceEvents events,
            FakeMetrics metrics) {
        this.options = options;
        this.replay = replay;
        this.index = index;
        this.cloud = cloud;
        this.events = events;
        this.metrics = metrics;
    }

    /** @param progress hears the number of events played after each one */
    public ReplayResult run(LongConsumer progress) throws BadInputException, InterruptedException {
        index.locationsChanged(PoolLocations.of(cloud.poolKeys()));
        replay.playAndClose(new RecordingPlayer(options.recordings()), progress);
        return ReplayResult.of(options.model(), index, cloud, events, metrics);
    }
}
