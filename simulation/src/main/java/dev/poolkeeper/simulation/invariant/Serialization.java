package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S6. */
final class Serialization extends Invariant {

    private final Map<SimulatedDaemon, Map<ArmName, PoolKey>> writing = new HashMap<>();
    private final Map<SimulatedDaemon, Set<ArmName>> serving = new HashMap<>();

    Serialization(Scene scene) {
        super(
                "S6 serialization",
                "A process has at most one write in progress for each load balancer, and processes one of its pools at"
                        + " a time.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!serving.computeIfAbsent(daemon, key -> new HashSet<>()).add(pool.loadBalancer())) {
            violated("%s starts a call for %s while another call for its load balancer is in progress", daemon, pool);
        }
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        serving.computeIfAbsent(daemon, key -> new HashSet<>()).remove(pool.loadBalancer());
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        PoolKey other = writing.computeIfAbsent(daemon, key -> new HashMap<>())
                .putIfAbsent(read.key().loadBalancer(), read.key());
        if (other != null) {
            violated("%s writes %s while its write of %s is in progress", daemon, read.key(), other);
        }
    }

    @Override
    public void writeOver(SimulatedDaemon daemon, PoolKey pool) {
        writing.computeIfAbsent(daemon, key -> new HashMap<>()).remove(pool.loadBalancer());
    }
}
