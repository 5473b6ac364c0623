package dev.poolkeeper.core.operation;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** Something to be done to a pool's set of addresses on behalf of one Service. Immutable. */
public sealed interface Operation {

    /** The Service that wants it. */
    ServiceName service();

    /** The pool it is done to. A pool that ARM does not know makes the operation stale when it is tried. */
    PoolKey pool();

    /** The addresses it is about. */
    AddressSet addresses();

    /** The same operation about other addresses. */
    default Operation withAddresses(AddressSet addresses) {
        return switch (this) {
            case Add add -> new Add(service(), pool(), addresses);
            case Remove remove -> new Remove(service(), pool(), addresses);
            case Replace replace -> new Replace(service(), pool(), addresses);
        };
    }

    /** Whether it leaves every pool as it is. Replacing by nothing is not nothing: it empties the pool. */
    default boolean isNothing() {
        return addresses().isEmpty() && !(this instanceof Replace);
    }

    /** These addresses come. Those that are there already stay. */
    record Add(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** These addresses go. Those that are not there are no error. */
    record Remove(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}

    /** These addresses and no others; an empty set empties the pool. */
    record Replace(ServiceName service, PoolKey pool, AddressSet addresses) implements Operation {}
}
