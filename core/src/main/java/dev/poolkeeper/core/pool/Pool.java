package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.PoolKey;
import org.jspecify.annotations.Nullable;

/** All that an engine knows of one pool. Guarded by the lock of {@link Pools}. */
final class Pool {

    final PoolKey key;

    /** What its Services want in it. */
    Wants wants = Wants.NONE;

    /** Its contents; null if it was not in the last listing and not read or written since. */
    @Nullable
    KnownPool known;

    Pool(PoolKey key) {
        this.key = key;
    }

    /** Whether nothing is known of it. */
    boolean isForgettable() {
        return wants.isEmpty() && known == null;
    }
}
