package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The buckets of one load balancer's pools. Guarded by the queue's lock. */
final class LoadBalancerQueue {

    private final Duration gather;
    private Map<PoolKey, Bucket> buckets = new HashMap<>();

    /** The buckets that have a {@code nextEligibleAt}, the earliest first; some may be due. */
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

    /**
     * Call this after operations were added to or removed from a bucket: moves it to its new position, or removes it if
     * it is empty.
     */
    void settle(Bucket bucket) {
        if (bucket.size() == 0) {
            buckets.remove(bucket.pool);
            parked.remove(bucket);
            return;
        }
        Instant eligibleAt = bucket.latestEligibleAt(gather);
        if (eligibleAt.equals(bucket.eligibleAt)) {
            return;
        }
        parked.remove(bucket);
        bucket.eligibleAt = eligibleAt;
        if (!eligibleAt.equals(Instant.MIN)) {
            parked.add(bucket);
        }
    }

    boolean isEmpty() {
        return buckets.isEmpty();
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, null for never. */
    @Nullable
    Instant earliest() {
        if (buckets.size() > parked.size()) {
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
        List<Bucket> due = new ArrayList<>();
        if (!hasDue(now)) {
            return due;
        }
        for (Bucket bucket : buckets.values()) {
            if (bucket.isDue(now)) {
                due.add(bucket);
            }
        }
        return due;
    }

    /** Removes one bucket, whether or not it may be tried. */
    void take(Bucket bucket) {
        buckets.remove(bucket.pool);
        parked.remove(bucket);
        if (buckets.isEmpty()) {
            buckets = new HashMap<>(); // a HashMap never shrinks
        }
    }

    /** The buckets that have to wait. */
    List<Bucket> parked(Instant now) {
        return parked.stream().filter(bucket -> !bucket.isDue(now)).toList();
    }

    Collection<Bucket> all() {
        return buckets.values();
    }
}
