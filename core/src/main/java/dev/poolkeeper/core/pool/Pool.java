package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that an engine knows of one pool. Guarded by the lock of {@link Pools}. */
final class Pool {

    final PoolKey key;

    /** What its Services want in it. */
    Wants wants = Wants.NONE;

    /** Its contents; null if it was not in the last listing and not read or written since. */
    @Nullable
    KnownPool known;

    /** Why its update was held at the last attempt; null if it was not. */
    @Nullable
    HeldUpdate held;

    /** The Services whose last report was a permanent failure. */
    final Set<ServiceName> failed = new HashSet<>(0);

    /** The holds that are reported on its Services. */
    final Set<Report> reported = new HashSet<>(0);

    /** Null if no other writer changes it back. */
    @Nullable
    Fight fight;

    /** Null if ARM did not deny access to it when it was last called. */
    @Nullable
    Refusal refusal;

    /** A hold for this cause was reported on the Service, and the cause has not ended since. */
    record Report(ServiceName service, Held.By by) {}

    Pool(PoolKey key) {
        this.key = key;
    }

    /** Whether nothing is known of it. */
    boolean isForgettable() {
        return wants.isEmpty() && known == null && held == null && failed.isEmpty() && fight == null;
    }
}
