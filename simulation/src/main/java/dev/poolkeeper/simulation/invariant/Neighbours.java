package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** S22. */
final class Neighbours extends Invariant {

    Neighbours(Scene scene) {
        super("S22 neighbours", "No process reads or writes a pool of another cluster in its resource group.", scene);
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        if (pool != null && !scene().owns(pool)) {
            violated("%s sends a %s of %s, whose load balancer belongs to another cluster", daemon, purpose, pool);
        }
    }
}
