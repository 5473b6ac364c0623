package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** For which Services the last report on a pool was that its update failed for good. Thread-safe. */
final class FailedUpdates {

    private record Update(ServiceName service, PoolKey pool) {}

    private final Set<Update> failed = ConcurrentHashMap.newKeySet();

    void add(ServiceName service, PoolKey pool) {
        failed.add(new Update(service, pool));
    }

    /** Returns whether it was there. */
    boolean remove(ServiceName service, PoolKey pool) {
        return !failed.isEmpty() && failed.remove(new Update(service, pool));
    }

    boolean contains(ServiceName service, PoolKey pool) {
        return failed.contains(new Update(service, pool));
    }
}
