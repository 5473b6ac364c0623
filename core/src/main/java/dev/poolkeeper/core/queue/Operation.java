package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** Something to be done to a pool on behalf of one Service. Immutable. */
public sealed interface Operation {

    /** The Service that wants it. */
    ServiceName service();

    /** The pool it is done to. A pool that ARM does not know makes the operation stale when it is tried. */
    PoolKey pool();

    /** Whether it leaves every pool as it is. Replacing by nothing is not nothing: it empties the pool. */
    default boolean isNothing() {
        return switch (this) {
            case Add add -> add.addresses().isEmpty();
            case Remove remove -> remove.addresses().isEmpty();
            case Replace replace -> false;
            case Sync sync -> false;
        };
    }

    /** {@code diff}: these addresses come. Those that are there already stay. */
    record Add(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** {@code diff}: these addresses go. Those that are not there are no error. */
    record Remove(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** {@code diff}: these addresses and no others; an empty set empties the pool. */
    record Replace(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /**
     * {@code desired-state}: what the Service wants when the pool has been read. Holds no addresses, so it cannot be
     * out of date, and at most one waits for a Service and pool.
     */
    record Sync(ServiceName service, PoolKey pool) implements Operation {}
}
