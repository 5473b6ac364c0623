package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** The pool of a Service in one IP family, for as long as the Service is local there. */
final class LocalPool {

    final ServiceName service;
    final IpFamily family;
    final PoolKey pool;

    /** Whether a slice of this Service and family existed or was seen since the Service became local. */
    boolean sliceSeen;

    /** Whether the wanted set is complete: every referenced node has been seen. */
    boolean complete;

    /** Whether the wanted set has been complete once; changes are reported from then on. */
    boolean adopted;

    /** The last reported set; before adoption, the addresses known so far. */
    AddressSet wanted = AddressSet.empty();

    LocalPool(ServiceName service, IpFamily family, PoolKey pool, boolean sliceSeen) {
        this.service = service;
        this.family = family;
        this.pool = pool;
        this.sliceSeen = sliceSeen;
    }
}
