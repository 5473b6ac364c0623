package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The buckets of one load balancer's pools. Guarded by the queue's lock. */
final class LoadBalancerQueue {

    private final Duration gather;
    private Map<PoolKey, Bucket> buckets = new HashMap<>();

    /** The buckets with operations that may be tried at any time. */
    private final Set<Bucket> ready = new LinkedHashSet<>();

    /** The buckets with operations that have to wait, or had to; those that wait least first. */
    private final TreeSet<Bucket> parked = new TreeSet<>(Bucket.BY_ELIGIBILITY);

    LoadBalancerQueue(Duration gather) {
        this.gather = gather;
    }

    @Nullable
    Bucket find(PoolKey pool) {
        return buckets.get(pool);
    }

    void add(Bucket bucket) {
        buckets.put(bucket.pool, bucket);
    }

    /** Call this after a bucket was changed: moves it to its new position, or forgets it if it is of no use. */
    void settle(Bucket bucket, Instant now) {
        ready.remove(bucket);
        parked.remove(bucket);
        bucket.eligibleAt = bucket.size() == 0 ? Instant.MIN : bucket.latestEligibleAt(gather);
        if (bucket.size() > 0) {
            (bucket.eligibleAt.equals(Instant.MIN) ? ready : parked).add(bucket);
        } else if (bucket.isForgettable(now)) {
            buckets.remove(bucket.pool);
            if (buckets.isEmpty()) {
                buckets = new HashMap<>(); // a HashMap never shrinks
            }
        }
    }

    /** Whether no bucket is left. */
    boolean isEmpty() {
        return buckets.isEmpty();
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, null for never. */
    @Nullable
    Instant earliest() {
        if (!ready.isEmpty()) {
            return Instant.MIN;
        }
        return parked.isEmpty() ? null : parked.first().eligibleAt;
    }

    boolean hasDue(Instant now) {
        Instant earliest = earliest();
        return earliest != null && !earliest.isAfter(now);
    }

    /** The buckets that may be tried. */
    List<Bucket> due(Instant now) {
        List<Bucket> due = new ArrayList<>(ready);
        for (Bucket bucket : parked) {
            if (!bucket.isDue(now)) {
                break;
            }
            due.add(bucket);
        }
        return due;
    }

    /** The buckets that have to wait. */
    List<Bucket> parked(Instant now) {
        return parked.stream().filter(bucket -> !bucket.isDue(now)).toList();
    }

    Collection<Bucket> all() {
        return buckets.values();
    }
}
