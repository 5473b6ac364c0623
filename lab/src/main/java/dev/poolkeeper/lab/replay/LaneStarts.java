package dev.poolkeeper.lab.replay;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Runs lanes in the thread that plays, after everything else of an instant. Calls take no virtual time. */
public class LaneStarts implements Executor {

    private final ArrayDeque<Runnable> lanes = new ArrayDeque<>();

    /** Runs a lane, when what is due now starts. */
    @Override
    public void execute(Runnable lane) {
        lanes.add(lane);
    }

    /** When the next call ends; empty if none is in progress. */
    Optional<Instant> nextEnd() {
        return Optional.empty();
    }

    /** Ends the calls that end now. */
    void endCalls() {}

    /** Whether something is to start now. */
    boolean hasStarts() {
        return !lanes.isEmpty();
    }

    /** Starts what is to start now. */
    void start() {
        for (Runnable lane = lanes.poll(); lane != null; lane = lanes.poll()) {
            run(lane);
        }
    }

    void run(Runnable lane) {
        lane.run();
    }
}
