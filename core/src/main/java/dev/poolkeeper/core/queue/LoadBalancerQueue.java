package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.pool.Pool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The pools of one load balancer with operations that wait. Guarded by the lock of the pools. */
final class LoadBalancerQueue {

    /** The pools with operations that may be tried at any time. */
    private final Set<Pool> ready = new LinkedHashSet<>();

    /** The pools with operations that have to wait, or had to; those that wait least first. */
    private final TreeSet<Pool> parked = new TreeSet<>(Pool.BY_ELIGIBILITY);

    /** Call this before the pool changes. */
    void remove(Pool pool) {
        ready.remove(pool);
        parked.remove(pool);
    }

    /** Call this after the pool was settled, if operations wait for it. */
    void add(Pool pool) {
        (pool.eligibleAt().equals(Instant.MIN) ? ready : parked).add(pool);
    }

    boolean isEmpty() {
        return ready.isEmpty() && parked.isEmpty();
    }

    /** The earliest time at which one of them, of which there are some, may be tried. */
    Instant earliest() {
        return ready.isEmpty() ? parked.first().eligibleAt() : Instant.MIN;
    }

    /** The pools that may be tried. */
    List<Pool> due(Instant now) {
        List<Pool> due = new ArrayList<>(ready);
        for (Pool pool : parked) {
            if (!pool.isDue(now)) {
                break;
            }
            due.add(pool);
        }
        return due;
    }

    /** The pools that have to wait. */
    List<Pool> parked(Instant now) {
        return parked.stream().filter(pool -> !pool.isDue(now)).toList();
    }

    List<Pool> all() {
        List<Pool> all = new ArrayList<>(ready);
        all.addAll(parked);
        return all;
    }
}
