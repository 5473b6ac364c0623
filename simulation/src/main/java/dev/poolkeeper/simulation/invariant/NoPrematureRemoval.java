package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S4. */
final class NoPrematureRemoval extends Invariant {

    NoPrematureRemoval(Scene scene) {
        super(
                "S4 no premature removal",
                "An address that the process knows to be wanted, without interruption since before the read, is never"
                        + " removed by the write that follows, by whichever Service of the pool; nor is one that a"
                        + " paused Service wanted when its pause began, nor one that left while the process had missed"
                        + " a node of the Service for less than a minute, nor any before a Service of the pool was"
                        + " complete once.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        if (observed instanceof Observation.Put put) {
            put(put.daemon(), put.read(), put.wanted());
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        long began = daemon.calls().lastRead(read.key());
        Knowledge knowledge = daemon.knowledge();
        AddressSet removed = knowledge.inFamilyOf(read.key(), read.addresses().minus(wanted.addresses()));
        if (!removed.isEmpty() && knowledge.isYetUndecided(read.key()) && knowledge.usersSince(read.key()) < began) {
            violated("%s removes %s from %s, although no Service of it was ever complete", daemon, removed, read.key());
        }
        for (IpAddress address : read.entries().keySet()) {
            long since = knowledge.keptSince(read.key(), address);
            boolean isInDoubt = knowledge.isInDoubt(read.key());
            if (!wanted.entries().containsKey(address) && since < began && !isInDoubt) {
                violated(
                        "%s removes %s from %s, which it knows to have been wanted since %s, or to be undecided, and"
                                + " read at %s",
                        daemon, address, read.key(), seconds(since), seconds(began));
            }
        }
    }
}
