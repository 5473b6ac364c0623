package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.Map;

/** L6: memory shrinks with the cluster. */
final class Memory extends Invariant {

    Memory(Scene scene) {
        super(
                "L6 memory",
                "105 s after all Services and most pools were deleted, the leader has none of these Services and no"
                        + " deleted pool in its memory.",
                scene);
    }

    void check() {
        for (SimulatedDaemon daemon :
                scene().daemons().stream().filter(SimulatedDaemon::isLeader).toList()) {
            for (Map.Entry<Object, String> held : daemon.holdings().entrySet()) {
                boolean isGone = held.getKey() instanceof ServiceName service
                                && scene().truth().isGone(service)
                        || held.getKey() instanceof PoolKey pool
                                && scene().arm().places(pool.pool()).isEmpty();
                if (isGone) {
                    violated("%s still has %s in its memory, at %s", daemon, held.getKey(), held.getValue());
                }
            }
        }
    }
}
