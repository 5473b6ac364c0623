package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** A Service in one IP family for as long as it is local there, with the pool that it has. */
final class LocalPool {

    final ServiceName service;
    final IpFamily family;
    final PoolKey pool;

    /** Whether a slice of this Service and family was there, or was seen, since the Service became local. */
    boolean sliceSeen;

    /** Whether the wanted set is complete: every node that it names was seen. */
    boolean complete;

    /** Whether the wanted set was complete once; from then on its changes are reported. */
    boolean adopted;

    /** What was reported last; before the adoption, what is known so far. */
    AddressSet wanted = AddressSet.empty();

    LocalPool(ServiceName service, IpFamily family, PoolKey pool, boolean sliceSeen) {
        this.service = service;
        this.family = family;
        this.pool = pool;
        this.sliceSeen = sliceSeen;
    }
}
