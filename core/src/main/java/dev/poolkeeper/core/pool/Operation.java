package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** An update of a pool on behalf of one Service. Immutable. */
public sealed interface Operation {

    /** The Service that requested it. */
    ServiceName service();

    /** The pool to update. If the pool does not exist in ARM, the operation turns out to be stale when it is tried. */
    PoolKey pool();

    /** Whether it has no effect on any pool. Replacing with an empty set has an effect: it empties the pool. */
    default boolean isNothing() {
        return switch (this) {
            case Add add -> add.addresses().isEmpty();
            case Remove remove -> remove.addresses().isEmpty();
            case Replace replace -> false;
            case Sync sync -> false;
        };
    }

    /** {@code diff}: adds these addresses. Addresses already in the pool stay. */
    record Add(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** {@code diff}: removes these addresses. Addresses not in the pool are ignored. */
    record Remove(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** {@code diff}: sets exactly these addresses; an empty set empties the pool. */
    record Replace(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /**
     * {@code desired-state}: sets the addresses that the Service wants once the pool has been read. Holds no addresses,
     * so it cannot become stale, and at most one waits per Service and pool.
     */
    record Sync(ServiceName service, PoolKey pool) implements Operation {}
}
