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
                "Every address that is written into a pool belonged, in its family, to a node named by an endpoint of"
                        + " the pool's Service; addresses of other Services are never added.",
                scene);
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
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
