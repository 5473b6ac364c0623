package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S11. */
final class Pauses extends Invariant {

    Pauses(Scene scene) {
        super(
                "S11 pauses",
                "No write starts while an operator has paused all writes, nor to a pool whose Services are all paused,"
                        + " as far as the process knows.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Put put) {
            put(put.daemon(), put.read());
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read) {
        PoolKey pool = read.key();
        if (daemon.isPausedByOperator()) {
            violated("%s writes %s although all its writes are paused", daemon, pool);
        } else if (daemon.knowledge().isPaused(pool)) {
            violated("%s writes %s although it knows that its Services are paused", daemon, pool);
        }
    }
}
