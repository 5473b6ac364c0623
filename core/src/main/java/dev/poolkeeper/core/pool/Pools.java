package dev.poolkeeper.core.known;

import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last seen state of every pool that was listed, read or written. It may be stale, so it is never the basis of a
 * write, only of holding one back or reading again. Thread-safe; the cost of each method is proportional to its
 * arguments.
 */
public final class KnownPools {

    private final Freshness freshness;
    private Map<PoolKey, KnownPool> pools = new HashMap<>();

    /** @param freshness receives the contents of pools */
    public KnownPools(Freshness freshness) {
        this.freshness = freshness;
    }

    /**
     * Applies a complete listing: forgets pools that are not in it, and keeps the newer state of pools that were read
     * or written after it began.
     *
     * @param begunAt when the listing began
     */
    public synchronized void listed(Collection<BackendPool> listing, Instant begunAt) {
        Map<PoolKey, KnownPool> now = new HashMap<>();
        for (BackendPool pool : listing) {
            KnownPool before = pools.get(pool.key());
            KnownPool known = before == null
                    ? KnownPool.first(pool, begunAt)
                    : before.at().isAfter(begunAt) ? before : before.listed(pool, begunAt);
            now.put(pool.key(), known);
            freshness.holds(pool.key(), known.addresses());
        }
        pools = now;
        freshness.retain(now.keySet());
    }

    /** Records a pool that was just read. */
    public synchronized void read(BackendPool pool, Instant at) {
        pools.compute(pool.key(), (key, before) -> known(before, pool, at).read(pool, at));
        freshness.holds(pool.key(), pool.addresses());
    }

    /**
     * Records that a write begins.
     *
     * @param planned the addresses to write
     */
    public synchronized void writeBegins(PoolKey pool, AddressSet planned) {
        pools.computeIfPresent(pool, (key, before) -> before.writeBegins(planned));
    }

    /**
     * Records a pool as found after a write.
     *
     * @param asPlanned whether it holds what was written
     */
    public synchronized void written(BackendPool pool, boolean asPlanned, Instant at) {
        pools.compute(pool.key(), (key, before) -> known(before, pool, at).written(pool, asPlanned, at));
        freshness.holds(pool.key(), pool.addresses());
    }

    private static KnownPool known(@Nullable KnownPool before, BackendPool pool, Instant at) {
        return before == null ? KnownPool.first(pool, at) : before;
    }

    /** Records that a read or a write failed. */
    public synchronized void failed(PoolKey pool, boolean write, Failure failure, Instant at) {
        pools.computeIfPresent(pool, (key, before) -> before.failed(write, failure, at));
    }

    /**
     * Whether another writer changed the pool after our last successful write. Returns true once per successful write.
     *
     * @param found the current contents of the pool
     */
    public synchronized boolean noticeChangeByAnother(PoolKey pool, AddressSet found) {
        KnownPool before = pools.get(pool);
        AddressSet landed = before == null ? null : before.landed();
        if (before == null || landed == null || landed.equals(found)) {
            return false;
        }
        pools.put(pool, before.writeForgotten());
        return true;
    }

    /**
     * Forgets what our writes left in the pools, because another process may have written any of them in the meantime.
     */
    public synchronized void forgetWrites() {
        pools.replaceAll((key, pool) -> pool.writeForgotten());
    }

    public synchronized Optional<KnownPool> find(PoolKey pool) {
        return Optional.ofNullable(pools.get(pool));
    }
}
