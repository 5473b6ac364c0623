package dev.poolkeeper.core.freshness;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Measures how long traffic goes to the wrong nodes: the time from each change of a pool's wanted addresses until the
 * pool holds them, and how long pools miss addresses or keep stale ones.
 *
 * <ul>
 *   <li>A change is one event together with one pool whose wanted addresses (the union over all its adopted Services)
 *       differ after it. The first adoption of a pool is not a change.
 *   <li>What a Service wants before its adoption is neither missing nor stale.
 *   <li>It ends once the pool holds everything it added and nothing it removed; a change that ends at once is not
 *       counted.
 *   <li>It is void once a later event takes back any address of it, or the last adopted Service leaves the pool.
 * </ul>
 *
 * <p>Thread-safe. Cost is proportional to the pool, not to the cluster. Calls the listener under its own lock; the
 * listener must not call back.
 */
public final class Freshness {

    private final InstantSource clock;
    private final BiConsumer<PoolKey, Duration> onWritten;

    /** Those that exist, and those with which a Service is local. */
    private final Map<PoolKey, PoolFreshness> pools = new HashMap<>();

    /** The pools affected by the current event. */
    private final Set<PoolFreshness> touched = new LinkedHashSet<>();

    /** The sums over all pools. */
    private long missing;

    private long stale;
    private long outages;

    /** The sums over time until {@link #addedUntil}. */
    private Duration missingTime = Duration.ZERO;

    private Duration staleTime = Duration.ZERO;
    private Duration outageTime = Duration.ZERO;
    private Instant addedUntil = Instant.EPOCH;
    private boolean counts;

    /**
     * The figures at one point in time.
     *
     * @param outages the pools that hold none of their wanted addresses
     * @param oldestChange the time of the earliest change that is not yet written
     * @param outage how long pools have held none of their wanted addresses, summed over pools
     * @param missingAddressTime how long wanted addresses have been missing, summed over addresses
     * @param staleAddressTime how long pools have held addresses that no Service wants, summed over addresses
     */
    public record Snapshot(
            Set<PoolKey> outages,
            Optional<Instant> oldestChange,
            Duration outage,
            Duration missingAddressTime,
            Duration staleAddressTime) {}

    /**
     * @param clock timestamps the start and end of changes
     * @param onWritten receives each change that ended and its duration
     */
    public Freshness(InstantSource clock, BiConsumer<PoolKey, Duration> onWritten) {
        this.clock = clock;
        this.onWritten = onWritten;
    }

    /** Starts or stops counting, when leadership begins or ends. Open changes become void. */
    public synchronized void count(boolean now) {
        addElapsed();
        counts = now;
        pools.values().forEach(PoolFreshness::forgetChanges);
    }

    /** This is what the Services of the pool want now; part of an event that {@link #eventEnded} ends. */
    public synchronized void wants(PoolKey key, Wants wants) {
        PoolFreshness pool = pools.computeIfAbsent(key, PoolFreshness::new);
        pool.wants = wants;
        touched.add(pool);
    }

    /** Ends the current event. */
    public synchronized void eventEnded() {
        if (touched.isEmpty()) {
            return;
        }
        Instant now = addElapsed();
        for (PoolFreshness pool : touched) {
            add(pool, -1);
            pool.eventEnded(now, counts);
            add(pool, 1);
            if (pool.isForgettable()) {
                pools.remove(pool.key, pool); // a listing may have let another take its place
            }
        }
        touched.clear();
    }

    /** The pool was seen to hold these addresses. */
    public synchronized void holds(PoolKey key, AddressSet addresses) {
        PoolFreshness pool = pools.computeIfAbsent(key, PoolFreshness::new);
        if (!Objects.equals(addresses, pool.held)) {
            Instant now = addElapsed();
            add(pool, -1);
            pool.holds(now, addresses, took -> onWritten.accept(key, took));
            add(pool, 1);
        }
    }

    /** Keeps only the pools that exist. */
    public synchronized void retain(Set<PoolKey> existing) {
        for (PoolFreshness pool : pools.values()) {
            pool.held = existing.contains(pool.key) ? pool.held : null;
        }
        pools.values().removeIf(PoolFreshness::isForgettable);
    }

    /** Adds the pool to the totals, or takes it out before it changes. */
    private void add(PoolFreshness pool, int times) {
        missing += times * pool.missing;
        stale += times * pool.stale;
        outages += times * pool.outage;
    }

    private Instant addElapsed() {
        Instant now = clock.instant();
        missingTime = total(missingTime, missing, now);
        staleTime = total(staleTime, stale, now);
        outageTime = total(outageTime, outages, now);
        addedUntil = now;
        return now;
    }

    private Duration total(Duration before, long number, Instant at) {
        return counts ? before.plus(Duration.between(addedUntil, at).multipliedBy(number)) : before;
    }

    /**
     * The current figures. Cost is proportional to the number of pools.
     *
     * @param at now, or earlier if nothing has changed since
     */
    public synchronized Snapshot snapshot(Instant at) {
        return new Snapshot(
                pools.values().stream()
                        .filter(pool -> pool.outage > 0)
                        .map(pool -> pool.key)
                        .collect(Collectors.toCollection(LinkedHashSet::new)),
                pools.values().stream()
                        .flatMap(pool -> pool.oldestChange().stream())
                        .min(Comparator.naturalOrder()),
                total(outageTime, outages, at),
                total(missingTime, missing, at),
                total(staleTime, stale, at));
    }
}
