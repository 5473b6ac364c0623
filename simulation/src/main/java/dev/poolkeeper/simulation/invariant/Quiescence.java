package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.freshness.Freshness;
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
                    + " all ticks, listings and comparisons. The leader then reports that nothing is queued, missing"
                    + " or late.",
                scene);
    }

    void demand(boolean now) {
        on = now;
        if (now) {
            scene().daemons().stream()
                    .filter(SimulatedDaemon::isLeader)
                    .forEach(leader -> check(leader, leader.engine().status()));
        }
    }

    private void check(SimulatedDaemon leader, EngineStatus status) {
        int queued = status.work().operations();
        Freshness.Snapshot freshness = status.freshness();
        if (queued > 0
                || !freshness.outages().isEmpty()
                || freshness.oldestChange().isPresent()) {
            violated(
                    "%s reports %d queued operations, outages of %s and a change since %s, although nothing differs",
                    leader,
                    queued,
                    freshness.outages(),
                    freshness.oldestChange().map(String::valueOf).orElse("never"));
        }
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
