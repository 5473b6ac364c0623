package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The pools of one load balancer with operations that wait. Guarded by the lock of the pools. */
final class LoadBalancerQueue {

    /** The pools with operations that may be tried at any time. */
    private final Set<PoolKey> ready = new HashSet<>();

    /** The pools with operations that have to wait, or had to; those that wait least first. */
    private final TreeSet<Place> parked = new TreeSet<>();

    /**
     * A pool that has to wait.
     *
     * @param at until when
     * @param number orders pools that may be tried at the same time
     * @param pool the pool
     */
    private record Place(Instant at, long number, PoolKey pool) implements Comparable<Place> {

        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::at).thenComparingLong(Place::number);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param at when it may be tried; {@link Instant#MIN} for at any time */
    void add(Pool pool, Instant at) {
        if (at.equals(Instant.MIN)) {
            ready.add(pool.key());
        } else {
            parked.add(new Place(at, pool.number(), pool.key()));
        }
    }

    /** @param at when it could be tried so far */
    void remove(Pool pool, Instant at) {
        if (at.equals(Instant.MIN)) {
            ready.remove(pool.key());
        } else {
            parked.remove(new Place(at, pool.number(), pool.key()));
        }
    }

    boolean isEmpty() {
        return ready.isEmpty() && parked.isEmpty();
    }

    /** The earliest time at which one of them, of which there are some, may be tried. */
    Instant earliest() {
        return ready.isEmpty() ? parked.first().at() : Instant.MIN;
    }

    /** The pools that may be tried. */
    List<PoolKey> due(Instant now) {
        List<PoolKey> due = new ArrayList<>(ready);
        for (Place place : parked) {
            if (place.at().isAfter(now)) {
                break;
            }
            due.add(place.pool());
        }
        return due;
    }

    /** The pools that have to wait. */
    List<PoolKey> parked(Instant now) {
        return parked.stream()
                .filter(place -> place.at().isAfter(now))
                .map(Place::pool)
                .toList();
    }

    List<PoolKey> all() {
        List<PoolKey> all = new ArrayList<>(ready);
        parked.forEach(place -> all.add(place.pool()));
        return all;
    }
}
