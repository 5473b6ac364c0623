package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.HashMap;
import java.util.Map;

/** The reads and writes of a process, by its facts; those of ended terms included. */
public final class PoolCalls {

    /** When each call in progress began. */
    private final Map<PoolKey, Long> inProgress = new HashMap<>();

    private final Map<PoolKey, Long> lastReads = new HashMap<>();

    void note(Fact fact, long now) {
        switch (fact) {
            case Fact.CallBegins call -> {
                inProgress.put(call.pool(), now);
                if (call instanceof Fact.Began) {
                    lastReads.put(call.pool(), now);
                }
            }
            case Fact.CallEnded call -> inProgress.remove(call.pool());
            default -> {}
        }
    }

    /** When it last started to read the pool; 0 for never. */
    public long lastRead(PoolKey pool) {
        return lastReads.getOrDefault(pool, 0L);
    }

    /** When the call in progress for the pool began; far in the future for none. */
    public long began(PoolKey pool) {
        return inProgress.getOrDefault(pool, Long.MAX_VALUE);
    }

    /** When the first of the calls in progress began; far in the future for none. */
    public long firstBegan() {
        return inProgress.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }

    public boolean isAtWork(ArmName loadBalancer) {
        return inProgress.keySet().stream().anyMatch(pool -> pool.loadBalancer().equals(loadBalancer));
    }
}
