package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A set of addresses, each in a pool. Not thread-safe. */
final class PoolAddresses {

    /** Never contains an empty set. */
    private final Map<PoolKey, AddressSet> byPool = new HashMap<>();

    private long size;

    long size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    AddressSet of(PoolKey pool) {
        return byPool.getOrDefault(pool, AddressSet.empty());
    }

    Set<PoolKey> pools() {
        return new LinkedHashSet<>(byPool.keySet());
    }

    void add(PoolKey pool, AddressSet addresses) {
        set(pool, of(pool).union(addresses));
    }

    void remove(PoolKey pool, AddressSet addresses) {
        set(pool, of(pool).minus(addresses));
    }

    void addAll(PoolAddresses others) {
        others.byPool.forEach(this::add);
    }

    void removeAll(PoolAddresses others) {
        others.byPool.forEach(this::remove);
    }

    void retainAll(PoolAddresses others) {
        pools().forEach(pool -> set(pool, of(pool).intersect(others.of(pool))));
    }

    private void set(PoolKey pool, AddressSet addresses) {
        size += addresses.size() - of(pool).size();
        if (addresses.isEmpty()) {
            byPool.remove(pool);
        } else {
            byPool.put(pool, addresses);
        }
    }
}
