package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.Map;

/** When each process last started to read each pool. */
final class LastReads {

    private final Map<SimulatedDaemon, Map<PoolKey, Long>> began = new HashMap<>();

    void begins(SimulatedDaemon daemon, PoolKey pool, long now) {
        began.computeIfAbsent(daemon, key -> new HashMap<>()).put(pool, now);
    }

    /** Zero if the pool was never read. */
    long of(SimulatedDaemon daemon, PoolKey pool) {
        return began.getOrDefault(daemon, Map.of()).getOrDefault(pool, 0L);
    }
}
