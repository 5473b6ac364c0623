package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** S9. */
final class MonotoneIntent extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    private final LastReads reads = new LastReads();
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
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!write) {
            reads.begins(daemon, pool, now());
        } else if (daemon.knowledge().lastUsed(pool) < now()) { // news of this instant may not have been read yet
            violated("%s starts to write %s, although it knows that no Service uses it", daemon, pool);
        }
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        if (write && reply instanceof Reply.Ok<BackendPool>) {
            succeeded.put(new Place(daemon, pool), reads.of(daemon, pool));
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
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
