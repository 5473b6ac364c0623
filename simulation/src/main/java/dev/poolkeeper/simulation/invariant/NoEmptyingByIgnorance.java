package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;

/** S5. */
final class NoEmptyingByIgnorance extends Invariant {

    /** The desired state is computed when an update starts, and the lock is held for a minute at most. */
    private static final long LONGEST_TICK = 70 * Timeline.SECONDS;

    NoEmptyingByIgnorance(Scene scene) {
        super(
                "S5 no emptying by ignorance",
                "A pool is emptied only by a process that has listed the whole cluster and according to"
                        + " whose view nothing is wanted.",
                scene);
    }

    /** With the model diff an addition can be lost with its retries, and a later removal then empties the pool. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Put put) {
            put(put.daemon(), put.read(), put.wanted());
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        if (!wanted.entries().isEmpty() || read.entries().isEmpty()) {
            return;
        }
        long lastEmpty = daemon.knowledge().lastEmpty(read.key());
        if (!daemon.knowledge().hasSynced()) {
            violated("%s empties %s before it has listed the whole cluster", daemon, read.key());
        } else if (lastEmpty < now() - LONGEST_TICK && !isOnlyPausedWanted(daemon, read)) {
            violated(
                    "%s empties %s; according to its view %s are wanted there, and nothing was wanted there last %s",
                    daemon,
                    read.key(),
                    daemon.knowledge().wantedIn(read.key()),
                    lastEmpty < 0 ? "never" : "at " + seconds(lastEmpty));
        }
    }

    /** What a paused Service wants and the pool does not hold is not written until its pause ends. */
    private static boolean isOnlyPausedWanted(SimulatedDaemon daemon, PoolImage read) {
        Knowledge knowledge = daemon.knowledge();
        return knowledge.isPausedInPart(read.key())
                && knowledge.activelyWantedIn(read.key()).isEmpty()
                && knowledge.wantedIn(read.key()).common(read.addresses()) == 0;
    }
}
