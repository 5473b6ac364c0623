package dev.poolkeeper.core.known;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was last seen of every pool that was listed. What is known may be old: nothing is written because of it, only
 * held back, or read anew. Thread-safe; each method costs in proportion to its arguments.
 */
public final class KnownPools {

    private Map<PoolKey, KnownPool> pools = new HashMap<>();

    /**
     * Takes a whole listing: pools that it does not have are forgotten; of those that were read or written while it was
     * made, the fresher knowledge stays.
     *
     * @param begunAt when the listing began
     */
    public synchronized void listed(Collection<BackendPool> listing, Instant begunAt) {
        Map<PoolKey, KnownPool> now = new HashMap<>();
        for (BackendPool pool : listing) {
            KnownPool before = pools.get(pool.key());
            KnownPool known = before == null
                    ? new KnownPool(pool.key(), pool.addresses(), begunAt, null, null)
                    : before.at().isAfter(begunAt) ? before : before.seen(pool.addresses(), begunAt);
            now.put(pool.key(), known);
        }
        pools = now;
    }

    /** Notes a pool as it was just read or written. */
    public synchronized void answered(BackendPool pool, boolean write, Instant at) {
        KnownPool before = pools.get(pool.key());
        AddressSet held = pool.addresses();
        KnownPool known = before == null ? new KnownPool(pool.key(), held, at, null, null) : before;
        pools.put(pool.key(), known.answered(held, at, write));
    }

    /** Notes that a call about a pool failed. */
    public synchronized void failed(PoolKey pool, boolean write, Failure failure, Instant at) {
        pools.computeIfPresent(pool, (key, before) -> before.failed(at, write, failure));
    }

    public synchronized Optional<KnownPool> find(PoolKey pool) {
        return Optional.ofNullable(pools.get(pool));
    }
}
