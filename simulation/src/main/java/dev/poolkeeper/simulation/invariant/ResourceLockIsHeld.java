package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** S15. */
final class ResourceLockIsHeld extends Invariant {

    ResourceLockIsHeld(Scene scene) {
        super(
                "S15 resource lock",
                "No write starts before the API server has accepted the process as the holder of the resource lock, nor"
                        + " after the duration that it wrote into the Lease, by its own clock.",
                scene);
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        if (!daemon.holdsResourceLock()) {
            violated("%s starts to write %s without holding the resource lock", daemon, read.key());
        }
    }
}
