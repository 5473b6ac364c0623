package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** L2: without changes there is no work. */
final class Quiescence extends Invariant {

    private boolean on;

    Quiescence(Scene scene) {
        super(
                "L2 quiescence",
                "While every pool matches its desired state, no pool is written and none is read individually, over"
                        + " all ticks, listings and comparisons.",
                scene);
    }

    void demand(boolean now) {
        on = now;
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (on && !write) {
            violated("%s reads %s although nothing has changed", daemon, pool);
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        if (on) {
            violated(
                    "%s writes %s into %s, which held %s, although nothing has changed",
                    daemon, wanted.addresses(), read.key(), read.addresses());
        }
    }
}
