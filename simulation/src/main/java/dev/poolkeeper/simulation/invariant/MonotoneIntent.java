package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.Map;

/** S9. */
final class MonotoneIntent extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    private final Map<Place, Long> succeeded = new HashMap<>();

    MonotoneIntent(Scene scene) {
        super(
                "S9 monotone intent",
                "After a write succeeded, no later write adds back an address that was not wanted since; and no write"
                        + " starts for a Service that the process knows to be gone, no longer local, or"
                        + " elsewhere.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact.pool(), fact);
            case Observation.Put put -> put(put.daemon(), put.read(), put.wanted());
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.Writes writes
            when daemon.knowledge().lastUsed(pool) < now() -> // news of now may be unread
                violated("%s starts to write %s, although it knows that no Service uses it", daemon, pool);
            case Fact.WriteEnded written
            when written.reply() instanceof Reply.Ok<BackendPool> ->
                succeeded.put(new Place(daemon, pool), daemon.calls().lastRead(pool));
            default -> {}
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        Long since = succeeded.get(new Place(daemon, read.key()));
        if (since == null
                || !daemon.knowledge().isComplete(read.key())
                || daemon.knowledge().isInDoubt(read.key())
                || !daemon.knowledge().isUsed(read.key())) {
            return;
        }
        for (IpAddress address : wanted.entries().keySet()) {
            long last = daemon.knowledge().lastIntended(read.key(), address);
            if (!read.entries().containsKey(address) && last < since) {
                violated(
                        "%s adds %s to %s, which was last wanted at %s; a write computed at %s succeeded since",
                        daemon, address, read.key(), last < 0 ? "never" : seconds(last), seconds(since));
            }
        }
    }
}
