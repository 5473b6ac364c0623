package dev.poolkeeper.core.queue;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Operations that wait for a tick, by load balancer and pool and in order of arrival. The one object that watch threads
 * and the tick share.
 *
 * <ul>
 *   <li>An operation is in the queue or in the hands of a tick, never in both.
 *   <li>Requeued operations stand before those that arrived in the meantime, in the order they had.
 *   <li>At most one {@link Operation.Sync} waits for a Service and pool: a further change keeps its place and its
 *       {@code nextEligibleAt} and sets its {@code retryCount} to 0.
 *   <li>Operations that are nothing (adding or removing no address) are not queued.
 * </ul>
 *
 * <p>A pool may be tried once it has waited for the gathering time, all its operations are past their
 * {@code nextEligibleAt}, and it neither rests nor is held.
 *
 * <p>Adding costs the same whatever the queue's length; removing a Service's operations costs in proportion to those of
 * the pool, and where those are parked to the logarithm of how many are; what is parked stays where it is until it is
 * due, and to know that nothing is due costs nothing. Methods with a {@code loadBalancer} look at that one's operations
 * only, or at all where it is null.
 *
 * <p>Thread-safe: every method takes the queue's own lock, which is never held across I/O and under which no other lock
 * is taken.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final InstantSource clock;
    private final Duration gather;
    private final Map<ArmName, LoadBalancerQueue> loadBalancers = new HashMap<>();

    /** Until when pools rest, in the order of those instants. */
    private final Map<PoolKey, Instant> rests = new LinkedHashMap<>();

    private long nextSequence;
    private long nextBucket;
    private int size;

    /**
     * @param clock tells when operations are queued
     * @param gather how long a pool waits after its first change, for others to come; zero for not at all
     */
    public OperationQueue(InstantSource clock, Duration gather) {
        this.clock = clock;
        this.gather = gather;
    }

    /** Queues an operation behind all others; a {@link Operation.Sync} that waits already is marked as changed. */
    public synchronized void add(Operation operation) {
        if (operation.isNothing()) {
            return;
        }
        Bucket bucket = bucket(operation.pool());
        int waiting = operation instanceof Operation.Sync sync ? bucket.indexOfSync(sync.service()) : -1;
        if (waiting >= 0) {
            bucket.set(waiting, bucket.get(waiting).changed());
        } else {
            append(bucket, operation);
        }
    }

    /** Queues a Service's operation if none waits for it and this pool; one that waits stays as it is. */
    public synchronized void ensure(Operation.Sync operation) {
        Bucket bucket = bucket(operation.pool());
        if (bucket.indexOfSync(operation.service()) < 0) {
            append(bucket, operation);
        }
    }

    private void append(Bucket bucket, Operation operation) {
        bucket.append(PendingOperation.fresh(operation, nextSequence++, clock.instant()));
        size++;
        if (bucket.size() == 1) { // later ones let it wait no longer
            loadBalancer(bucket.pool).settle(bucket);
        }
    }

    /** Drops every waiting operation of a Service for one pool, parked ones too. */
    public synchronized void remove(ServiceName service, PoolKey pool) {
        removeFrom(pool, pending -> pending.operation().service().equals(service));
    }

    /** A number below which operations that wait now have their {@code sequence}, and above which later ones have. */
    public synchronized long mark() {
        return nextSequence;
    }

    /** The pools for which an operation waits that was queued since the mark was taken, in no order. */
    public synchronized List<PoolKey> queuedSince(long mark) {
        if (mark == nextSequence) {
            return List.of();
        }
        List<PoolKey> pools = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            for (Bucket bucket : waiting.all()) {
                if (bucket.get(bucket.size() - 1).sequence() >= mark) {
                    pools.add(bucket.pool);
                }
            }
        }
        return pools;
    }

    /** Drops the operations for a pool that were queued since the mark was taken. */
    public synchronized void removeSince(long mark, PoolKey pool) {
        removeFrom(pool, pending -> pending.sequence() >= mark);
    }

    private void removeFrom(PoolKey pool, Predicate<PendingOperation> condition) {
        LoadBalancerQueue waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        if (waiting != null && bucket != null) {
            size -= bucket.removeIf(condition);
            waiting.settle(bucket);
            if (waiting.isEmpty()) {
                loadBalancers.remove(pool.loadBalancer());
            }
        }
    }

    /** Drops everything. */
    public synchronized void clear() {
        loadBalancers.clear();
        rests.clear();
        size = 0;
    }

    /** What may be tried now: groups in order of their first operation. They stay in the queue. */
    public synchronized List<OperationGroup> due(@Nullable ArmName loadBalancer, Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
            for (Bucket bucket : waiting.due(now)) {
                groups.add(bucket.toGroup());
            }
        }
        groups.sort(BY_ARRIVAL);
        return groups;
    }

    /** Takes out the operations of one pool, whether they may be tried or not; empty if none waits. */
    public synchronized Optional<OperationGroup> take(PoolKey pool) {
        LoadBalancerQueue waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        if (waiting == null || bucket == null) {
            return Optional.empty();
        }
        waiting.take(bucket);
        if (waiting.isEmpty()) {
            loadBalancers.remove(pool.loadBalancer());
        }
        size -= bucket.size();
        return Optional.of(bucket.toGroup());
    }

    /** The group with what arrived for its pool since it was taken. */
    public synchronized OperationGroup takeUp(OperationGroup group) {
        requeue(group.pool(), group.operations());
        return take(group.pool()).orElseThrow();
    }

    /**
     * Nothing of this pool may be tried before, what arrives later included.
     *
     * @param until not before that of any earlier call, of another pool either
     */
    public synchronized void rest(PoolKey pool, Instant until) {
        Instant now = clock.instant();
        Iterator<Instant> ends = rests.values().iterator();
        while (ends.hasNext() && !ends.next().isAfter(now)) {
            ends.remove();
        }
        rests.remove(pool); // it goes to the end
        rests.put(pool, until);
        deferWaiting(pool, until);
    }

    /** What waits for this pool now may not be tried before, unless it is let go. */
    public synchronized void hold(PoolKey pool, Instant until) {
        Instant rested = rests.getOrDefault(pool, Instant.MIN);
        deferWaiting(pool, rested.isAfter(until) ? rested : until);
    }

    /** Ends {@link #hold}. */
    public synchronized void letGo(PoolKey pool) {
        deferWaiting(pool, rests.getOrDefault(pool, Instant.MIN));
    }

    private void deferWaiting(PoolKey pool, Instant until) {
        LoadBalancerQueue waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        if (waiting != null && bucket != null) {
            bucket.notBefore = until;
            waiting.settle(bucket);
        }
    }

    /** Everything that waits, parked or not, in no order. It stays in the queue. */
    public synchronized List<OperationGroup> waiting() {
        List<OperationGroup> groups = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            waiting.all().forEach(bucket -> groups.add(bucket.toGroup()));
        }
        return groups;
    }

    /** The groups that have to wait until after {@code now}, in no order. They stay in the queue. */
    public synchronized List<OperationGroup> parked(Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            waiting.parked(now).forEach(bucket -> groups.add(bucket.toGroup()));
        }
        return groups;
    }

    /** The operations that wait for this pool, in order. They stay in the queue. */
    public synchronized List<PendingOperation> waitingFor(PoolKey pool) {
        LoadBalancerQueue waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        return bucket == null ? List.of() : bucket.operations();
    }

    /** Whether something may be tried now. Costs nothing, whatever the number of groups. */
    public synchronized boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
            if (waiting.hasDue(now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether something waits for this pool that may be tried now. */
    public synchronized boolean isDue(PoolKey pool, Instant now) {
        LoadBalancerQueue waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        return bucket != null && bucket.isDue(now);
    }

    /** The load balancers for which something waits, in no order. */
    public synchronized List<ArmName> loadBalancers() {
        return List.copyOf(loadBalancers.keySet());
    }

    /** Puts operations of one pool back, before those that arrived since they were drained; in their order. */
    public synchronized void requeue(PoolKey pool, List<PendingOperation> operations) {
        if (operations.isEmpty()) {
            return;
        }
        LoadBalancerQueue waiting = loadBalancer(pool);
        Bucket bucket = bucket(pool, waiting);
        size -= bucket.size();
        bucket.putBack(operations);
        size += bucket.size();
        waiting.settle(bucket);
    }

    /** How many operations wait. */
    public synchronized int size() {
        return size;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The earliest instant at which some group may be tried; {@link Instant#MIN} if one may at once. */
    public synchronized Optional<Instant> nextEligibleAt() {
        return nextEligibleAt(null);
    }

    /** The earliest instant at which some group may be tried; {@link Instant#MIN} if one may at once. */
    public synchronized Optional<Instant> nextEligibleAt(@Nullable ArmName loadBalancer) {
        Instant earliest = null;
        for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
            Instant instant = waiting.earliest();
            if (instant != null && (earliest == null || instant.isBefore(earliest))) {
                earliest = instant;
            }
        }
        return Optional.ofNullable(earliest);
    }

    private Collection<LoadBalancerQueue> waitingFor(@Nullable ArmName loadBalancer) {
        if (loadBalancer == null) {
            return loadBalancers.values();
        }
        LoadBalancerQueue waiting = loadBalancers.get(loadBalancer);
        return waiting == null ? List.of() : List.of(waiting);
    }

    private LoadBalancerQueue loadBalancer(PoolKey pool) {
        return loadBalancers.computeIfAbsent(pool.loadBalancer(), name -> new LoadBalancerQueue(gather));
    }

    private Bucket bucket(PoolKey pool) {
        return bucket(pool, loadBalancer(pool));
    }

    private Bucket bucket(PoolKey pool, LoadBalancerQueue waiting) {
        Bucket bucket = waiting.find(pool);
        if (bucket == null) {
            bucket = new Bucket(pool, nextBucket++, rests.getOrDefault(pool, Instant.MIN));
            waiting.add(bucket);
        }
        return bucket;
    }
}
