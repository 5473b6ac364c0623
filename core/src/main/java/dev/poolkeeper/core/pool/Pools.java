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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All pools of an engine: those that were listed, and those with which a Service is local. Their last seen contents may
 * be stale, so they are never the basis of a write, only of holding one back or reading again.
 *
 * <p>Thread-safe. Changes are made one at a time, under the lock of this object, which is never held while the cluster
 * view or an adapter is called; reading takes no lock.
 */
public final class Pools {

    private static final Comparator<PoolKey> BY_KEY =
            Comparator.comparing(PoolKey::loadBalancer).thenComparing(PoolKey::pool);

    /** By the first of its Services, then by the family in which that one has it. */
    private static final Comparator<Pool> BY_SERVICE = Comparator.comparing(Pools::first)
            .thenComparing(pool -> IpFamily.of(first(pool), pool.wants().first().pool()));

    private final Freshness freshness;
    private final boolean obeysPauses;
    private final Map<PoolKey, Pool> pools = new ConcurrentHashMap<>();
    private final Set<PoolKey> used = new ConcurrentSkipListSet<>(BY_KEY);

    /** The pools affected by the current event. */
    private final Set<PoolKey> touched = new LinkedHashSet<>();

    private Consumer<PoolKey> onChange = key -> {};
    private long nextNumber;

    /**
     * @param freshness keeps the sums over all pools; used under the lock of this object only
     * @param obeysPauses whether Services can be paused
     */
    public Pools(Freshness freshness, boolean obeysPauses) {
        this.freshness = freshness;
        this.obeysPauses = obeysPauses;
    }

    /** @param listener is given the key of each pool that changes; quick, since the lock is held */
    public synchronized void onChange(Consumer<PoolKey> listener) {
        onChange = listener;
    }

    private static ServiceName first(Pool pool) {
        return pool.wants().first().service();
    }

    /** What is known of a pool; one of which nothing is known has no Services and no contents. */
    public Pool get(PoolKey key) {
        Pool pool = pools.get(key);
        return pool == null ? new Pool(key, -1) : pool;
    }

    /** The same; empty if nothing is known of it. */
    public Optional<Pool> find(PoolKey key) {
        return Optional.ofNullable(pools.get(key));
    }

    /** All pools of which anything is known, unordered. */
    public Collection<Pool> all() {
        return pools.values();
    }

    /** The pools of local Services, in order of their keys. */
    public Stream<Pool> used() {
        return used.stream().map(this::get).filter(pool -> !pool.wants().isEmpty());
    }

    /** The same, in order of the first Service of each. */
    public List<Pool> usedByService() {
        return used().sorted(BY_SERVICE).toList();
    }

    /** Each pool of which this is known, with it. */
    public <T> Map<PoolKey, T> each(Function<Pool, @Nullable T> known) {
        Map<PoolKey, T> found = new HashMap<>();
        for (Pool pool : pools.values()) {
            T its = known.apply(pool);
            if (its != null) {
                found.put(pool.key(), its);
            }
        }
        return found;
    }

    /**
     * Changes a pool, which is forgotten if nothing is known of it any more. Returns it as it was before.
     *
     * @param change makes another one of it; quick, since the lock is held
     */
    @SuppressWarnings("ReferenceEquality") // what a change leaves alone is the same object
    public synchronized Pool change(PoolKey key, UnaryOperator<Pool> change) {
        Pool before = pools.get(key);
        if (before == null) {
            before = new Pool(key, nextNumber++);
        }
        Pool after = change.apply(before);
        if (after == before) {
            return before;
        }
        if (after.isForgettable()) {
            pools.remove(key);
        } else {
            pools.put(key, after);
        }
        if (before.wants().isEmpty() && !after.wants().isEmpty()) {
            used.add(key);
        } else if (after.wants().isEmpty()) {
            used.remove(key);
        }
        if (after.freshness() != before.freshness()) {
            freshness.changed(before.freshness(), after.freshness());
        }
        onChange.accept(key);
        return before;
    }

    // --- what is wanted ---

    /** Takes what a Service wants from now on; part of an event that {@link #eventEnded} ends. */
    public synchronized void wants(Want now) {
        touched.add(now.pool());
        change(now.pool(), pool -> pool.wanting(obeysPauses ? now : now.withPaused(false)));
    }

    /** The Service is no longer local with the pool; part of an event. Returns what the others want in it. */
    public synchronized Wants left(ServiceName service, PoolKey key) {
        touched.add(key);
        return change(key, pool -> pool.without(service)).wants().without(service);
    }

    /** Ends the current event: what it changed in a pool is one change. */
    public synchronized void eventEnded() {
        touched.forEach(key -> change(key, pool -> pool.eventEnded(freshness)));
        touched.clear();
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
            listed.add(found.key());
            know(
                    found,
                    before -> before == null
                            ? KnownPool.first(found, begunAt, null)
                            : before.at().isAfter(begunAt) ? before : before.listed(found, begunAt));
        }
        for (PoolKey key : pools.keySet()) {
            if (!listed.contains(key)) {
                change(key, pool -> pool.withKnown(null).withBacklog(it -> it.rested(begunAt)));
            }
        }
    }

    /** Records a pool that was just read. */
    public void read(BackendPool found, Instant at) {
        know(found, before -> known(before, found, at).read(found, at));
    }

    /**
     * Records that a write begins.
     *
     * @param planned the addresses to write
     */
    public void writeBegins(PoolKey pool, AddressSet planned) {
        update(pool, known -> known.writeBegins(planned));
    }

    /**
     * Records a pool as found after a write.
     *
     * @param asPlanned whether it holds what was written
     */
    public void written(BackendPool found, boolean asPlanned, Instant at) {
        know(found, before -> known(before, found, at).written(found, asPlanned, at));
    }

    private static KnownPool known(@Nullable KnownPool before, BackendPool pool, Instant at) {
        return before == null ? KnownPool.first(pool, at, new KnownPool.LastCall(false, at, Optional.empty())) : before;
    }

    private synchronized void know(BackendPool found, Function<@Nullable KnownPool, KnownPool> change) {
        PoolKey key = found.key();
        Pool before =
                change(key, pool -> pool.withKnown(change.apply(pool.known().orElse(null))));
        freshness.written(key, before.freshness().open(), get(key).freshness().open());
    }

    /** Records that a read or a write failed. */
    public void failed(PoolKey pool, boolean write, Failure failure, Instant at) {
        update(pool, known -> known.failed(write, failure, at));
    }

    /**
     * Whether another writer changed the pool after our last successful write. Returns true once per successful write.
     *
     * @param found the current contents of the pool
     */
    public boolean noticeChangeByAnother(PoolKey key, AddressSet found) {
        Pool before = update(
                key, known -> known.landed() == null || known.landed().equals(found) ? known : known.writeForgotten());
        return before.known()
                .map(KnownPool::landed)
                .filter(landed -> !landed.equals(found))
                .isPresent();
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

    private Pool update(PoolKey key, UnaryOperator<KnownPool> change) {
        return change(key, pool -> pool.known().map(change).map(pool::withKnown).orElse(pool));
    }

    // --- how these differ ---

    /**
     * Starts or stops measuring, when leadership begins or ends. Open changes become void. Cost is proportional to the
     * number of pools.
     */
    public synchronized void measureFreshness(boolean now) {
        freshness.count(now);
        for (PoolKey key : pools.keySet()) {
            change(key, pool -> pool.withFreshness(pool.freshness().withoutChanges()));
        }
    }

    /**
     * How long pools have differed from the wanted addresses. Cost is proportional to the number of pools.
     *
     * @param at now, or earlier if nothing has changed since
     */
    public synchronized Freshness.Snapshot freshness(Instant at) {
        return freshness.snapshot(each(Pool::freshness), at);
    }

    // --- what was reported ---

    /** The cause ended for these Services of these pools. Cost is proportional to the number of pools. */
    public synchronized void clearReported(HoldCause.By by, Predicate<PoolKey> those, Predicate<ServiceName> services) {
        for (Pool pool : pools.values()) {
            if (!pool.reported().isEmpty() && those.test(pool.key())) {
                change(
                        pool.key(),
                        it -> it.withoutReported(report -> report.by() == by && services.test(report.service())));
            }
        }
    }
}
