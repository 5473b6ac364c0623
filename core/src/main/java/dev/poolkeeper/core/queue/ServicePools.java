package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In which pools a Service has waiting operations. Nearly every Service has one pool, so the others stand apart.
 * Guarded by the queue's lock.
 */
final class ServicePools {

    private final Map<ServiceName, PoolKey> one = new HashMap<>();

    /** The pools beside that one; never empty sets. */
    private final Map<ServiceName, Set<PoolKey>> others = new HashMap<>();

    void note(ServiceName service, PoolKey pool) {
        PoolKey noted = one.putIfAbsent(service, pool);
        if (noted != null && !noted.equals(pool)) {
            others.computeIfAbsent(service, key -> new LinkedHashSet<>(2)).add(pool);
        }
    }

    /** Forgets the Service. Returns the pools that it had. */
    List<PoolKey> forget(ServiceName service) {
        PoolKey had = one.remove(service);
        Set<PoolKey> more = others.isEmpty() ? null : others.remove(service);
        if (had == null) {
            return List.of();
        }
        if (more == null) {
            return List.of(had);
        }
        List<PoolKey> all = new ArrayList<>(more);
        all.add(had);
        return all;
    }

    void forget(ServiceName service, PoolKey pool) {
        List<PoolKey> had = forget(service);
        for (PoolKey other : had) {
            if (!other.equals(pool)) {
                note(service, other);
            }
        }
    }
}
