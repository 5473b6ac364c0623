package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.cluster.LeaseObject;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** S15. */
final class ResourceLockIsHeld extends Invariant {

    /** The rate of the fastest clock, and a little more. */
    private static final double FASTEST = 1.12;

    /** In seconds. */
    private static final int WITHOUT_DURATION = 900;

    ResourceLockIsHeld(Scene scene) {
        super(
                "S15 resource lock",
                "No write starts before the API server has accepted the process as the holder of the resource lock, nor"
                        + " after the duration that it wrote into the Lease, by its own clock. It takes the lock from"
                        + " another holder no earlier than that one's duration after its Lease was written, 15 minutes"
                        + " if it has none.",
                scene);
    }

    @Override
    public void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        if (before == null || !before.holder().equals(LeaseObject.OTHER) || before.until() < now.since()) {
            return;
        }
        long least =
                (long) ((before.seconds() == 0 ? WITHOUT_DURATION : before.seconds()) * Timeline.SECONDS / FASTEST);
        List<SimulatedDaemon> takers = scene().daemons().stream()
                .filter(daemon -> daemon.identity().equals(now.holder()))
                .toList();
        boolean isOurs = !takers.isEmpty()
                && takers.stream().noneMatch(daemon -> daemon.machine().wasOutOfStepSince(before.since()));
        if (before.nanos() < least && isOurs) {
            violated("%s takes the resource lock from %s after %s", now.holder(), before, seconds(before.nanos()));
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        if (!daemon.holdsResourceLock()) {
            violated("%s starts to write %s without holding the resource lock", daemon, read.key());
        }
    }
}
