package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All pools of an engine: those that were listed, and those with which a Service is local. Their last seen contents may
 * be stale, so they are never the basis of a write, only of holding one back or reading again.
 *
 * <p>Thread-safe: one lock guards all of them. It is never held while the cluster view or an adapter is called. The
 * cost of each method is proportional to its arguments, except where it says otherwise.
 */
public final class Pools {

    /** By the first of its Services, then by the family in which that one has it. */
    private static final Comparator<Wants> IN_ORDER = Comparator.comparing(Pools::first)
            .thenComparing(wants -> IpFamily.of(first(wants), wants.all().get(0).pool()));

    private final Freshness freshness;
    private final boolean obeysPauses;
    private final Map<PoolKey, Pool> pools = new HashMap<>();
    private long nextNumber;

    /**
     * @param freshness receives the contents of pools
     * @param obeysPauses whether Services can be paused
     */
    public Pools(Freshness freshness, boolean obeysPauses) {
        this.freshness = freshness;
        this.obeysPauses = obeysPauses;
    }

    private static ServiceName first(Wants wants) {
        return wants.all().get(0).service();
    }

    // --- what is wanted ---

    /** Takes what a Service wants from now on. */
    public synchronized void wants(Want now) {
        Pool pool = getOrAdd(now.pool());
        pool.wants = pool.wants.with(obeysPauses ? now : now.withPaused(false));
    }

    /** The Service is no longer local with the pool. Returns what the others want in it. */
    public synchronized Wants left(ServiceName service, PoolKey key) {
        Pool pool = pools.get(key);
        if (pool == null) {
            return Wants.NONE;
        }
        pool.wants = pool.wants.without(service);
        pool.failed.remove(service);
        pool.reported.removeIf(report -> report.service().equals(service));
        forgetIfUnused(pool);
        return pool.wants;
    }

    /** What the local Services of this pool want in it. */
    public synchronized Wants wants(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? Wants.NONE : pool.wants;
    }

    /**
     * What is wanted in each pool of a local Service, in order of the first Service of each. Cost is proportional to
     * the number of pools.
     */
    public synchronized Map<PoolKey, Wants> used() {
        List<Pool> used = pools.values().stream()
                .filter(pool -> !pool.wants.isEmpty())
                .sorted(Comparator.comparing(pool -> pool.wants, IN_ORDER))
                .toList();
        Map<PoolKey, Wants> wants = new LinkedHashMap<>();
        used.forEach(pool -> wants.put(pool.wants.all().get(0).pool(), pool.wants));
        return wants;
    }

    // --- one pool; the caller holds the lock ---

    /** The pool of this key; null if nothing is known of it. */
    public @Nullable Pool get(PoolKey key) {
        return pools.get(key);
    }

    /** The pool of this key, added if nothing is known of it. */
    public Pool getOrAdd(PoolKey key) {
        return pools.computeIfAbsent(key, absent -> new Pool(absent, nextNumber++));
    }

    /** Forgets the pool if nothing is known of it and nothing is to be done. */
    public void forgetIfUnused(Pool pool) {
        if (pool.isForgettable()) {
            pools.remove(pool.key);
        }
    }

    // --- what they hold ---

    /**
     * Applies a complete listing: forgets the contents of pools that are not in it, and keeps the newer state of pools
     * that were read or written after it began.
     *
     * @param begunAt when the listing began
     */
    public synchronized void listed(Collection<BackendPool> listing, Instant begunAt) {
        Set<PoolKey> listed = new HashSet<>();
        for (BackendPool found : listing) {
            Pool pool = getOrAdd(found.key());
            KnownPool before = pool.known;
            KnownPool known = before == null
                    ? KnownPool.first(found, begunAt)
                    : before.at().isAfter(begunAt) ? before : before.listed(found, begunAt);
            pool.known = known;
            listed.add(found.key());
            freshness.holds(found.key(), known.addresses());
        }
        for (Pool pool : List.copyOf(pools.values())) {
            if (!listed.contains(pool.key)) {
                pool.known = null;
                forgetIfUnused(pool);
            }
        }
        freshness.retain(listed);
    }

    /** Records a pool that was just read. */
    public synchronized void read(BackendPool found, Instant at) {
        Pool pool = getOrAdd(found.key());
        pool.known = known(pool.known, found, at).read(found, at);
        freshness.holds(found.key(), found.addresses());
    }

    /**
     * Records that a write begins.
     *
     * @param planned the addresses to write
     */
    public synchronized void writeBegins(PoolKey pool, AddressSet planned) {
        update(pool, known -> known.writeBegins(planned));
    }

    /**
     * Records a pool as found after a write.
     *
     * @param asPlanned whether it holds what was written
     */
    public synchronized void written(BackendPool found, boolean asPlanned, Instant at) {
        Pool pool = getOrAdd(found.key());
        pool.known = known(pool.known, found, at).written(found, asPlanned, at);
        freshness.holds(found.key(), found.addresses());
    }

    private static KnownPool known(@Nullable KnownPool before, BackendPool pool, Instant at) {
        return before == null ? KnownPool.first(pool, at) : before;
    }

    /** Records that a read or a write failed. */
    public synchronized void failed(PoolKey pool, boolean write, Failure failure, Instant at) {
        update(pool, known -> known.failed(write, failure, at));
    }

    /**
     * Whether another writer changed the pool after our last successful write. Returns true once per successful write.
     *
     * @param found the current contents of the pool
     */
    public synchronized boolean noticeChangeByAnother(PoolKey pool, AddressSet found) {
        AddressSet landed = find(pool).map(KnownPool::landed).orElse(null);
        if (landed == null || landed.equals(found)) {
            return false;
        }
        update(pool, KnownPool::writeForgotten);
        return true;
    }

    /**
     * Forgets what our writes left in the pools, because another process may have written any of them in the meantime.
     * Cost is proportional to the number of pools.
     */
    public synchronized void forgetWrites() {
        for (PoolKey pool : pools.keySet()) {
            update(pool, KnownPool::writeForgotten);
        }
    }

    private void update(PoolKey key, UnaryOperator<KnownPool> change) {
        Pool pool = pools.get(key);
        KnownPool known = pool == null ? null : pool.known;
        if (pool != null && known != null) {
            pool.known = change.apply(known);
        }
    }

    /** The last known contents of a pool; empty if it was not in the last listing. */
    public synchronized Optional<KnownPool> find(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? Optional.empty() : Optional.ofNullable(pool.known);
    }

    // --- what holds their updates, and what was reported ---

    /** The update of this pool is held. Returns why and since when it was before; empty if it was not. */
    public synchronized Optional<HeldUpdate> hold(PoolKey key, Held because, Instant now) {
        Pool pool = getOrAdd(key);
        HeldUpdate before = pool.held;
        Instant since = before != null && before.because().by() == because.by() ? before.since() : now;
        pool.held = new HeldUpdate(because, since);
        return Optional.ofNullable(before);
    }

    /** The update of this pool is not held any longer. Returns why and since when it was; empty if it was not. */
    public synchronized Optional<HeldUpdate> release(PoolKey key) {
        Optional<HeldUpdate> before = held(key);
        if (before.isPresent()) {
            Pool pool = existing(key);
            pool.held = null;
            forgetIfUnused(pool);
        }
        return before;
    }

    /** Why the update of this pool was held at the last attempt; empty if it was not. */
    public synchronized Optional<HeldUpdate> held(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? Optional.empty() : Optional.ofNullable(pool.held);
    }

    private Pool existing(PoolKey key) {
        return Objects.requireNonNull(pools.get(key));
    }

    /** A permanent failure was reported on the Service. */
    public synchronized void setFailed(ServiceName service, PoolKey key) {
        getOrAdd(key).failed.add(service);
    }

    /** The last report on the Service is no permanent failure any longer. Returns whether it was one. */
    public synchronized boolean clearFailed(ServiceName service, PoolKey key) {
        Pool pool = pools.get(key);
        return pool != null && pool.failed.remove(service);
    }

    /** Whether the last report on the Service was a permanent failure. */
    public synchronized boolean hasFailed(ServiceName service, PoolKey key) {
        Pool pool = pools.get(key);
        return pool != null && pool.failed.contains(service);
    }

    /** Notes that a hold was reported. Returns whether it was not yet. */
    public synchronized boolean setReported(ServiceName service, PoolKey key, Held.By by) {
        return getOrAdd(key).reported.add(new Pool.Report(service, by));
    }

    /** The cause ended for these Services of these pools. Cost is proportional to the number of pools. */
    public synchronized void clearReported(Held.By by, Predicate<PoolKey> those, Predicate<ServiceName> services) {
        for (Pool pool : pools.values()) {
            if (!pool.reported.isEmpty() && those.test(pool.key)) {
                pool.reported.removeIf(report -> report.by() == by && services.test(report.service()));
            }
        }
    }

    // --- access ---

    /** The last 403 to a call for this pool; empty if it was answered otherwise since. */
    public synchronized Optional<Refusal> refusal(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? Optional.empty() : Optional.ofNullable(pool.refusal);
    }

    /** Replaces the last 403 of a pool that is known; null for none. */
    public synchronized void setRefusal(PoolKey key, @Nullable Refusal now) {
        Pool pool = pools.get(key);
        if (pool != null) {
            pool.refusal = now;
        }
    }

    /** The pools to which ARM denies access. Cost is proportional to the number of pools. */
    public synchronized Map<PoolKey, Refusal> refusals() {
        Map<PoolKey, Refusal> refusals = new HashMap<>();
        for (Pool pool : pools.values()) {
            Refusal refusal = pool.refusal;
            if (refusal != null) {
                refusals.put(pool.key, refusal);
            }
        }
        return refusals;
    }

    // --- other writers ---

    /** Another writer's changes of this pool; null for none. */
    public synchronized @Nullable Fight fight(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? null : pool.fight;
    }

    /** Replaces another writer's changes of this pool; null for none. */
    public synchronized @Nullable Fight updateFight(PoolKey key, UnaryOperator<@Nullable Fight> change) {
        Pool pool = getOrAdd(key);
        pool.fight = change.apply(pool.fight);
        Fight now = pool.fight;
        forgetIfUnused(pool);
        return now;
    }

    /** The pools that another writer changes back. Cost is proportional to the number of pools. */
    public synchronized Map<PoolKey, Fight> fights() {
        Map<PoolKey, Fight> fights = new HashMap<>();
        for (Pool pool : pools.values()) {
            Fight fight = pool.fight;
            if (fight != null) {
                fights.put(pool.key, fight);
            }
        }
        return fights;
    }
}
