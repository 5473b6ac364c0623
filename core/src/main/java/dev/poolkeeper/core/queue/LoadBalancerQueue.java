package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The pools of one load balancer with operations that wait. Guarded by the lock of the pools. */
final class LoadBalancerQueue {

    /** The pools with operations that may be tried at any time. */
    private final Set<PoolKey> ready = new LinkedHashSet<>();

    /** The pools with operations that have to wait, or had to; those that wait least first. */
    private final TreeSet<Place> parked = new TreeSet<>();

    /**
     * When a pool may be tried.
     *
     * @param at {@link Instant#MIN} for at any time
     * @param number orders pools that may be tried at the same time
     * @param pool the pool
     */
    record Place(Instant at, long number, PoolKey pool) implements Comparable<Place> {

        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::at).thenComparingLong(Place::number);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    void remove(Place place) {
        ready.remove(place.pool());
        parked.remove(place);
    }

    void add(Place place) {
        if (place.at().equals(Instant.MIN)) {
            ready.add(place.pool());
        } else {
            parked.add(place);
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
