package dev.poolkeeper.lab.replay;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Runs lanes on the replaying thread, after everything else at the same instant. Calls take no virtual time. */
public class LaneStarts implements Executor {

    private final ArrayDeque<Runnable> lanes = new ArrayDeque<>();

    /** Runs a lane when work that is due now is started. */
    @Override
    public void execute(Runnable lane) {
        lanes.add(lane);
    }

    /** When the next call ends; empty if none is in progress. */
    Optional<Instant> nextEnd() {
        return Optional.empty();
    }

    /** Completes the calls that end now. */
    void endCalls() {}

    /** Whether a lane is waiting to be started now. */
    boolean hasStarts() {
        return !lanes.isEmpty();
    }

    /** Starts the waiting lanes. */
    void start() {
        for (Runnable lane = lanes.poll(); lane != null; lane = lanes.poll()) {
            run(lane);
        }
    }

    void run(Runnable lane) {
        lane.run();
    }
}
