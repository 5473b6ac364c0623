package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.Observation;

/** S22. */
final class Neighbours extends Invariant {

    Neighbours(Scene scene) {
        super("S22 neighbours", "No process reads or writes a pool of another cluster in its resource group.", scene);
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Sent sent && sent.pool() != null && !scene().owns(sent.pool())) {
            violated(
                    "%s sends a %s of %s, whose load balancer belongs to another cluster",
                    sent.daemon(), sent.purpose(), sent.pool());
        }
    }
}
