package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

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
    void observe(Observation observed) {
        if (on) {
            switch (observed) {
                case Observation.Published(SimulatedDaemon daemon, Fact.Began began) ->
                    violated("%s reads %s although nothing has changed", daemon, began.pool());
                case Observation.Put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, String ifMatch) ->
                    violated(
                            "%s writes %s into %s, which held %s, although nothing has changed",
                            daemon, wanted.addresses(), read.key(), read.addresses());
                default -> {}
            }
        }
    }
}
