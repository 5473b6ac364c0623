package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** S3. */
final class Provenance extends Invariant {

    Provenance(Scene scene) {
        super(
                "S3 provenance",
                "Every address that is written into a pool was an address of its family of a node that an endpoint of"
                        + " the pool's Service named; nothing of another Service comes in.",
                scene);
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        for (IpAddress address : wanted.entries().keySet()) {
            if (!read.entries().containsKey(address)
                    && !scene().truth().isOfPool(read.key().pool(), address)) {
                violated(
                        "%s adds %s to %s, and no node with it was ever named by the Service",
                        daemon, address, read.key());
            }
        }
    }
}
