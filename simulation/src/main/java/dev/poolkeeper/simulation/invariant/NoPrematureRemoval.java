package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** S4. */
final class NoPrematureRemoval extends Invariant {

    private final LastReads reads = new LastReads();

    NoPrematureRemoval(Scene scene) {
        super(
                "S4 no premature removal",
                "An address that the process knows to be wanted, without interruption since before the read, is never"
                        + " removed by the write that follows; nor is one that left while the process knew nothing"
                        + " about a node of the pool's only Service.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!write) {
            reads.begins(daemon, pool, now());
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        long began = reads.of(daemon, read.key());
        Knowledge knowledge = daemon.knowledge();
        for (IpAddress address : read.entries().keySet()) {
            long since = knowledge.isOfOneService(read.key())
                    ? knowledge.keptSince(read.key(), address)
                    : knowledge.wantedSince(read.key(), address);
            if (!wanted.entries().containsKey(address) && since < began) {
                violated(
                        "%s removes %s from %s, which it knows to have been wanted since %s, or to be undecided, and"
                                + " read at %s",
                        daemon, address, read.key(), seconds(since), seconds(began));
            }
        }
    }
}
