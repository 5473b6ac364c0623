package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The local Services of each pool, nearly always one. Guarded by the index's lock. */
final class LocalPools {

    private final Map<PoolKey, List<LocalPool>> users = new HashMap<>();

    void add(LocalPool local) {
        users.computeIfAbsent(local.pool(), key -> new ArrayList<>(1)).add(local);
    }

    void remove(LocalPool local) {
        users.computeIfPresent(local.pool(), (key, all) -> {
            all.remove(local);
            return all.isEmpty() ? null : all;
        });
    }

    /** The Service's share in the pool, if it is local with it. */
    @Nullable
    LocalPool find(ServiceName service, PoolKey pool) {
        for (LocalPool local : users.getOrDefault(pool, List.of())) {
            if (local.service().equals(service)) {
                return local;
            }
        }
        return null;
    }

    /** Whether a Service has this pool. */
    boolean isUsed(PoolKey pool) {
        return users.containsKey(pool);
    }

    Wants wants(PoolKey pool) {
        Wants wants = Wants.NONE;
        for (LocalPool local : users.getOrDefault(pool, List.of())) {
            wants = wants.with(local.want);
        }
        return wants;
    }
}
