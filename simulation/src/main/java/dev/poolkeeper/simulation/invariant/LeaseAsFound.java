package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.daemon.Observation;

/** S28. Based on the Leases that the API server accepted. */
final class LeaseAsFound extends Invariant {

    LeaseAsFound(Scene scene) {
        super(
                "S28 Lease as found",
                "A process that releases the resource lock leaves the duration in the Lease that other writers gave it,"
                        + " even if the previous holder was killed.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        Integer known = scene().resourceLock().known();
        if (observed instanceof Observation.LockReleased(LockHistory.Hold hold, int seconds)
                && known != null
                && known != seconds) {
            violated(
                    "%s leaves a duration of %d s in the Lease of the resource lock, where others had written %d s",
                    hold.holder(), seconds, known);
        }
    }
}
