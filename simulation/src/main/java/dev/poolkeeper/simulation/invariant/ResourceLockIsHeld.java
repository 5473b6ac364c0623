package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.cluster.LeaseObject;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S15. */
final class ResourceLockIsHeld extends Invariant {

    /** The rate of the fastest clock, and a little more. */
    private static final double FASTEST = 1.12;

    private static final Set<String> OTHERS = Set.of(LeaseObject.OTHER, OtherController.NAME);

    /** In seconds. */
    private static final int WITHOUT_DURATION = 900;

    ResourceLockIsHeld(Scene scene) {
        super(
                "S15 resource lock",
                "No write starts before the API server has accepted the process as the holder of the resource lock, nor"
                        + " after the duration that it wrote into the Lease, by its own clock. It takes the lock from"
                        + " another holder no earlier than that one's duration after its Lease was written, 15 minutes"
                        + " if it has none; what a process wrote into the Lease is not that one's.",
                scene);
    }

    /** How long the hold of another writer lasts at least, by the fastest clock. */
    static long leastOf(LockHistory.Hold hold) {
        return (long) ((hold.seconds() == 0 ? WITHOUT_DURATION : hold.seconds()) * Timeline.SECONDS / FASTEST);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.LockTaken(LockHistory.Hold before, LockHistory.Hold now) -> lockTaken(before, now);
            case Observation.Put put
            when !put.daemon().holdsResourceLock() ->
                violated(
                        "%s starts to write %s without holding the resource lock",
                        put.daemon(), put.read().key());
            default -> {}
        }
    }

    private void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        boolean isOfOther = before != null && OTHERS.contains(before.holder());
        if (before == null || !isOfOther || before.until() < now.since()) {
            return;
        }
        long least = leastOf(before);
        List<SimulatedDaemon> takers = scene().daemons().stream()
                .filter(daemon -> daemon.identity().equals(now.holder()))
                .toList();
        boolean isOurs = !takers.isEmpty()
                && takers.stream().noneMatch(daemon -> daemon.machine().wasOutOfStepSince(before.since()));
        if (before.nanos() < least && isOurs) {
            violated("%s takes the resource lock from %s after %s", now.holder(), before, seconds(before.nanos()));
        }
    }
}
