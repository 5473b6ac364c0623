package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pool of a Service in one IP family, for as long as the Service is local there. */
final class LocalPool {

    final ServiceName service;
    final IpFamily family;
    final PoolKey pool;

    /** The nodes that its slices name and that were never seen. */
    final MissingNodes missing = new MissingNodes();

    /** Since when it has waited for a missing node, as last noted by {@link Waits}; {@link Instant#MAX} for not. */
    Instant waitsSince = Instant.MAX;

    /** Whether a slice of this Service and family existed or was seen since the Service became local. */
    boolean sliceSeen;

    /** Whether the set was reported at least once: it has been since the first slice. */
    boolean reported;

    /** Whether the wanted set is complete: every referenced node was seen, or has been missing for long. */
    boolean complete;

    /** Whether the wanted set has been complete once. Until then it only grows. */
    boolean adopted;

    /** The last reported set. */
    AddressSet wanted = AddressSet.empty();

    /** What the Service wanted when its pause, or its adoption during the pause, began; null while it is not paused. */
    @Nullable
    AddressSet atPause;

    LocalPool(ServiceName service, IpFamily family, PoolKey pool, boolean sliceSeen) {
        this.service = service;
        this.family = family;
        this.pool = pool;
        this.sliceSeen = sliceSeen;
    }

    /** What counts of this Service when another one's changes are written to the pool. */
    AddressSet share() {
        AddressSet frozen = atPause;
        return frozen == null ? wanted : frozen;
    }

    /** The Service is paused, or no longer. */
    void pause(boolean paused) {
        if (!paused) {
            atPause = null;
        } else if (atPause == null && adopted) {
            atPause = wanted;
        }
    }
}
