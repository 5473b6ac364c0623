package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;

/** The pool of a Service in one IP family, for as long as the Service is local there. */
final class LocalPool {

    final IpFamily family;

    /** The nodes that its slices name and that were never seen. */
    final MissingNodes missing = new MissingNodes();

    /** Since when it has waited for a missing node, as last noted by {@link Waits}; {@link Instant#MAX} for not. */
    Instant waitsSince = Instant.MAX;

    /** Whether a slice of this Service and family existed or was seen since the Service became local. */
    boolean sliceSeen;

    /** What the Service wants in the pool, as last reported. */
    Want want;

    LocalPool(IpFamily family, boolean sliceSeen, Want want) {
        this.family = family;
        this.sliceSeen = sliceSeen;
        this.want = want;
    }

    ServiceName service() {
        return want.service();
    }

    PoolKey pool() {
        return want.pool();
    }
}
