package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.Term;
import java.util.function.LongConsumer;

/** One replay from the first event to the report. */
public final class ReplaySession {

    private final ReplayOptions options;
    private final Replay replay;
    private final Engine engine;
    private final EndpointIndex index;
    private final FakeCloud cloud;
    private final ReplayCloud replayCloud;
    private final FakeServiceEvents events;
    private final FakeMetrics metrics;
    private final DryRunPlans plans;

    public ReplaySession(
            ReplayOptions options,
            Replay replay,
            Engine engine,
            EndpointIndex index,
            FakeCloud cloud,
            ReplayCloud replayCloud,
            FakeServiceEvents events,
            FakeMetrics metrics,
            DryRunPlans plans) {
        this.options = options;
        this.replay = replay;
        this.engine = engine;
        this.index = index;
        this.cloud = cloud;
        this.replayCloud = replayCloud;
        this.events = events;
        this.metrics = metrics;
        this.plans = plans;
    }

    /**
     * Plays to the end and lets go of the cloud.
     *
     * @param progress hears the number of events played after each one
     */
    public ReplayResult run(LongConsumer progress) throws BadInputException, InterruptedException {
        try (replayCloud) {
            list();
            replay.playAndClose(new RecordingPlayer(options.recordings()), progress);
            return ReplayResult.of(options.model(), index, cloud, replayCloud, events, metrics, plans);
        }
    }

    private void list() {
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
        engine.status().listing().failure().ifPresent(failure -> {
            throw new IllegalStateException("the load balancers cannot be listed: " + failure.describe());
        });
    }
}
