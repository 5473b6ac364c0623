package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** L2: who has nothing to do does nothing. */
final class Quiescence extends Invariant {

    private boolean on;

    Quiescence(Scene scene) {
        super(
                "L2 quiescence",
                "While every pool holds what is wanted nothing is written and no pool is read by itself, over"
                        + " all ticks, listings and comparisons.",
                scene);
    }

    void demand(boolean now) {
        on = now;
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (on && !write) {
            violated("%s reads %s; nothing had changed", daemon, pool);
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        if (on) {
            violated(
                    "%s writes %s into %s, which held %s; nothing had changed",
                    daemon, wanted.addresses(), read.key(), read.addresses());
        }
    }
}
