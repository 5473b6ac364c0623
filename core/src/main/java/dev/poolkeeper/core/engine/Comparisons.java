package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.FailureClass;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Compares, after each listing of a term, the pools of edited Services and those that lack an address, and all pools
 * after the first one and then at regular intervals. Thread-safe.
 */
final class Comparisons {

    private static final Logger log = LoggerFactory.getLogger(Comparisons.class);

    private final Pools pools;
    private final Comparison comparison;
    private final Duration interval;
    private final InstantSource clock;
    private final DoubleSupplier draws;
    private volatile Instant due = Instant.MIN;
    private volatile boolean begun;

    Comparisons(Assembly assembly, OperationQueue queue) {
        this.pools = assembly.known();
        this.comparison = new Comparison(pools, assembly.settings().model(), queue);
        this.interval = assembly.settings().resync();
        this.clock = assembly.clock();
        this.draws = assembly.draws();
    }

    /** When all pools are compared next; {@link Instant#MIN} for as soon as possible, {@link Instant#MAX} for never. */
    Instant due() {
        return due;
    }

    /** The same, if it is known. */
    Optional<Instant> next() {
        return Optional.of(due).filter(at -> !at.equals(Instant.MAX) && !at.equals(Instant.MIN));
    }

    private boolean isDue() {
        return !clock.instant().isBefore(due);
    }

    /** A listing failed: what is due waits for the next one. */
    void defer(Instant nextListing) {
        if (isDue()) {
            due = nextListing;
        }
    }

    /** Whether the load balancers have been listed in this term; nothing is sent before that. */
    boolean haveBegun() {
        return begun;
    }

    /**
     * A listing was applied.
     *
     * @param mark the {@link OperationQueue#mark} before that
     * @param edited the Services that were edited, or whose pool was not found, before it began
     * @return when all pools were compared; empty if only some were
     */
    Optional<Instant> listed(long mark, Predicate<ServiceName> edited) {
        comparison.dropUpToDate(mark);
        List<Pool> used = pools.usedByService();
        Optional<Instant> all = Optional.empty();
        if (isDue()) { // also if it fell due during the listing
            all = Optional.of(compareAll(used));
        } else {
            comparison.queueDifferences(used, pool -> isOf(pool, edited) || lacks(pool));
        }
        begun = true;
        return all;
    }

    /**
     * Whether it lacks a wanted address, and the listing is to be believed. ARM's listings may be wrong for as long as
     * they like, and in a dry run nothing is ever written: such a pool waits until all are compared.
     */
    private boolean lacks(Pool pool) {
        return !interval.isZero()
                && Comparison.lacks(pool)
                && !pool.known().map(KnownPool::isListedAnyway).orElse(false);
    }

    private static boolean isOf(Pool pool, Predicate<ServiceName> services) {
        return pool.wants().services().stream().anyMatch(services);
    }

    /**
     * The Services of pools that are listed, were not found by the last call for them, and wait for another one. ARM
     * lists a pool for a while after it was deleted, and may answer 404 for one that exists.
     */
    List<ServiceName> notFound() {
        return pools.used()
                .filter(pool -> pool.group().isPresent() && isNotFound(pool))
                .flatMap(pool -> pool.wants().services().stream())
                .toList();
    }

    private static boolean isNotFound(Pool pool) {
        return pool.known()
                .map(KnownPool::lastCall)
                .flatMap(KnownPool.LastCall::failure)
                .filter(failure -> FailureClass.of(failure) == FailureClass.STALE)
                .isPresent();
    }

    private Instant compareAll(List<Pool> used) {
        int found = comparison.queueDifferences(used, pool -> true);
        long queued = pools.used().filter(pool -> pool.group().isPresent()).count(); // with those queued before
        Instant now = clock.instant();
        due = interval.isZero() ? Instant.MAX : now.plus(jittered());
        log.atLevel(found > 0 || !begun ? Level.INFO : Level.DEBUG)
                .addKeyValue("pools", used.size())
                .addKeyValue("queued", queued)
                .log("Compared all pools with the wanted addresses");
        return now;
    }

    private Duration jittered() {
        return Duration.ofNanos((long) (interval.toNanos() * (0.9 + 0.2 * draws.getAsDouble())));
    }
}
