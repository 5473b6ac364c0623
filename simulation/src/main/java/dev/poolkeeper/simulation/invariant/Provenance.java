package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S3. */
final class Provenance extends Invariant {

    Provenance(Scene scene) {
        super(
                "S3 provenance",
                "Every address that is written into a pool belonged, in its family, to a node named by an endpoint of"
                        + " the pool's Service; addresses of other Services are never added.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Put put) {
            put(put.daemon(), put.read(), put.wanted());
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        for (IpAddress address : wanted.entries().keySet()) {
            if (!read.entries().containsKey(address)
                    && !scene().truth().isOfPool(read.key().pool(), address)) {
                violated(
                        "%s adds %s to %s, but the Service never named a node with that address",
                        daemon, address, read.key());
            }
        }
    }
}
