package dev.poolkeeper.core.freshness;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
 * <p>This object keeps the sums over all pools; a {@link PoolFreshness} is what is known of one. Not thread-safe.
 */
public final class Freshness {

    private final InstantSource clock;
    private final BiConsumer<PoolKey, Duration> onWritten;

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

    /** Starts or stops counting, when leadership begins or ends. */
    public void count(boolean now) {
        addElapsed();
        counts = now;
    }

    /** How a pool differs at the end of an event; see {@link PoolFreshness#eventEnded}. */
    public PoolFreshness eventEnded(PoolFreshness before, Wants wants, AddressSet held) {
        return before.eventEnded(wants, held, clock.instant(), counts);
    }

    /** The figures of a pool changed. */
    public void changed(PoolFreshness before, PoolFreshness after) {
        addElapsed();
        missing += after.missing() - before.missing();
        stale += after.stale() - before.stale();
        outages += (after.isOutage() ? 1 : 0) - (before.isOutage() ? 1 : 0);
    }

    /** What a pool holds changed, which ended those of its open changes that it no longer has. */
    public void written(PoolKey pool, List<PoolFreshness.Change> before, List<PoolFreshness.Change> after) {
        for (PoolFreshness.Change change : before) {
            Duration took = Duration.between(change.at(), clock.instant());
            if (took.isPositive() && !after.contains(change)) {
                onWritten.accept(pool, took);
            }
        }
    }

    private void addElapsed() {
        Instant now = clock.instant();
        missingTime = total(missingTime, missing, now);
        staleTime = total(staleTime, stale, now);
        outageTime = total(outageTime, outages, now);
        addedUntil = now;
    }

    private Duration total(Duration before, long number, Instant at) {
        if (!counts) {
            return before;
        }
        Duration elapsed = Duration.between(addedUntil, at); // multipliedBy would allocate BigDecimals
        return before.plusSeconds(elapsed.getSeconds() * number).plusNanos(elapsed.getNano() * number);
    }

    /**
     * The current figures.
     *
     * @param pools how each pool differs
     * @param at now, or earlier if nothing has changed since
     */
    public Snapshot snapshot(Map<PoolKey, PoolFreshness> pools, Instant at) {
        return new Snapshot(
                pools.entrySet().stream()
                        .filter(pool -> pool.getValue().isOutage())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toCollection(LinkedHashSet::new)),
                pools.values().stream()
                        .flatMap(pool -> pool.open().stream())
                        .map(PoolFreshness.Change::at)
                        .min(Comparator.naturalOrder()),
                total(outageTime, outages, at),
                total(missingTime, missing, at),
                total(staleTime, stale, at));
    }
}
