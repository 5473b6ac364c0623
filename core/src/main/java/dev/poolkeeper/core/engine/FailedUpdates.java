package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers the Services whose last report on a pool was a permanent failure. Thread-safe. */
final class FailedUpdates {

    private record Update(ServiceName service, PoolKey pool) {}

    private final Set<Update> failed = ConcurrentHashMap.newKeySet();

    void add(ServiceName service, PoolKey pool) {
        failed.add(new Update(service, pool));
    }

    /** Returns whether an entry existed. */
    boolean remove(ServiceName service, PoolKey pool) {
        return !failed.isEmpty() && failed.remove(new Update(service, pool));
    }

    boolean contains(ServiceName service, PoolKey pool) {
        return failed.contains(new Update(service, pool));
    }
}
