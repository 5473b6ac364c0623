package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.Map;

/** L6: memory shrinks with the cluster. */
final class Memory extends Invariant {

    /** The watches keep a limited number of texts, so that equal ones are stored once. */
    private static final String SHARED = ".shared.key()";

    Memory(Scene scene) {
        super(
                "L6 memory",
                "105 s after all Services and most pools were deleted, the leader has none of these Services, no"
                        + " deleted pool, and no name of a node that does not exist in its memory.",
                scene);
    }

    void check() {
        for (SimulatedDaemon daemon :
                scene().daemons().stream().filter(SimulatedDaemon::isLeader).toList()) {
            for (Map.Entry<Object, String> held : daemon.holdings().entrySet()) {
                boolean isGone = held.getKey() instanceof ServiceName service
                                && scene().truth().isGone(service)
                        || held.getKey() instanceof PoolKey pool
                                && scene().arm().places(pool.pool()).isEmpty()
                        || held.getKey() instanceof String text
                                && scene().truth().isNoNode(text)
                                && !held.getValue().endsWith(SHARED);
                if (isGone) {
                    violated("%s still has %s in its memory, at %s", daemon, held.getKey(), held.getValue());
                }
            }
        }
    }
}
