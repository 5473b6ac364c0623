package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In which pools a Service has waiting operations. Nearly every Service has one pool, so the sets are immutable ones of
 * one element. Guarded by the queue's lock.
 */
final class ServicePools {

    private final Map<ServiceName, Set<PoolKey>> pools = new HashMap<>();

    void note(ServiceName service, PoolKey pool) {
        pools.merge(service, Set.of(pool), ServicePools::union);
    }

    /** Forgets the Service. Returns the pools that it had. */
    Set<PoolKey> forget(ServiceName service) {
        Set<PoolKey> had = pools.remove(service);
        return had == null ? Set.of() : had;
    }

    void forget(ServiceName service, PoolKey pool) {
        pools.computeIfPresent(service, (key, had) -> without(had, pool));
    }

    private static Set<PoolKey> union(Set<PoolKey> had, Set<PoolKey> more) {
        if (had.containsAll(more)) {
            return had;
        }
        List<PoolKey> all = new ArrayList<>(had);
        all.addAll(more);
        return Set.copyOf(all);
    }

    private static @Nullable Set<PoolKey> without(Set<PoolKey> had, PoolKey pool) {
        List<PoolKey> rest = new ArrayList<>(had);
        rest.remove(pool);
        return rest.isEmpty() ? null : Set.copyOf(rest);
    }
}
