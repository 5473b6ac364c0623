package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** L2: who has nothing to do does nothing. */
final class Quiescence extends Invariant {

    private boolean on;

    Quiescence(Scene scene) {
        super(
                "L2 quiescence",
                "While every pool holds what is wanted nothing is written, over all ticks, listings and comparisons.",
                scene);
    }

    void demand(boolean now) {
        on = now;
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
