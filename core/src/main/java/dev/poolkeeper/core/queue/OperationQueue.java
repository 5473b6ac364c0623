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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Operations that wait for a tick, by load balancer and pool and in order of arrival. This is the only object shared by
 * watch threads and the tick.
 *
 * <ul>
 *   <li>An operation is either in the queue or being processed by a tick, never both.
 *   <li>Requeued operations go before those that arrived in the meantime, in their original order.
 *   <li>At most one {@link Operation.Sync} waits per Service and pool: a further change keeps its position and
 *       {@code nextEligibleAt} and resets its {@code retryCount} to 0.
 *   <li>Operations without effect (adding or removing no address) are not queued.
 * </ul>
 *
 * <p>It also has what else a term has to remember of a pool: what a lane has taken, rests, and holds.
 *
 * <p>A pool may be tried once it has waited for the gathering time, all its operations are past their
 * {@code nextEligibleAt}, and it is neither resting nor held.
 *
 * <p>Adding takes constant time. Removing a Service's operations takes time proportional to the operations of the pool,
 * plus the logarithm of the number of parked pools if this one is parked. Parked operations are not touched until they
 * are due, and checking whether any operation is due takes constant time. Methods with a {@code loadBalancer} consider
 * only its operations, or those of all load balancers if it is null.
 *
 * <p>Thread-safe: every method acquires the queue's lock, which is never held across I/O; no other lock is acquired
 * under it.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final InstantSource clock;
    private final Duration gather;
    private final Map<ArmName, LoadBalancerQueue> loadBalancers = new HashMap<>();

    private long nextSequence;
    private long nextBucket;
    private int size;
    private int taken;
    private int heldByGuards;

    /**
     * @param clock timestamps queued operations
     * @param gather how long a pool waits after its first change to batch further changes; zero for no wait
     */
    public OperationQueue(InstantSource clock, Duration gather) {
        this.clock = clock;
        this.gather = gather;
    }

    /** Queues an operation behind all others; a {@link Operation.Sync} that is already waiting is marked as changed. */
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

    /** Queues the operations of one change, which are taken together. */
    public synchronized void addAll(List<? extends Operation> operations) {
        for (Operation operation : operations) {
            add(operation);
        }
    }

    /** Queues the operation unless one is already waiting for the same Service and pool, which stays unchanged. */
    public synchronized void ensure(Operation.Sync operation) {
        Bucket bucket = bucket(operation.pool());
        if (bucket.indexOfSync(operation.service()) < 0) {
            append(bucket, operation);
        }
    }

    private void append(Bucket bucket, Operation operation) {
        bucket.append(PendingOperation.fresh(operation, nextSequence++, clock.instant()));
        size++;
        if (bucket.size() == 1) { // later ones do not postpone it
            settle(bucket);
        }
    }

    private void settle(Bucket bucket) {
        LoadBalancerQueue queue = loadBalancer(bucket.pool);
        queue.settle(bucket, clock.instant());
        if (queue.isEmpty()) {
            loadBalancers.remove(bucket.pool.loadBalancer());
        }
    }

    private @Nullable Bucket find(PoolKey pool) {
        LoadBalancerQueue queue = loadBalancers.get(pool.loadBalancer());
        return queue == null ? null : queue.find(pool);
    }

    /** Drops all waiting operations of a Service for one pool, including parked ones. */
    public synchronized void remove(ServiceName service, PoolKey pool) {
        removeFrom(pool, pending -> pending.operation().service().equals(service));
    }

    /** A mark: operations now waiting have a lower {@code sequence}, later ones do not. */
    public synchronized long mark() {
        return nextSequence;
    }

    /** The pools with a waiting operation that was queued after the mark was taken; unordered. */
    public synchronized List<PoolKey> queuedSince(long mark) {
        if (mark == nextSequence) {
            return List.of();
        }
        List<PoolKey> pools = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            for (Bucket bucket : waiting.all()) {
                if (bucket.size() > 0 && bucket.get(bucket.size() - 1).sequence() >= mark) {
                    pools.add(bucket.pool);
                }
            }
        }
        return pools;
    }

    /** Drops the operations for a pool that were queued after the mark was taken. */
    public synchronized void removeSince(long mark, PoolKey pool) {
        removeFrom(pool, pending -> pending.sequence() >= mark);
    }

    private void removeFrom(PoolKey pool, Predicate<PendingOperation> condition) {
        Bucket bucket = find(pool);
        if (bucket != null) {
            size -= bucket.removeIf(condition);
            if (bucket.size() == 0) {
                bucket.notBefore = bucket.restsUntil;
            }
            settle(bucket);
        }
    }

    /** The groups that may be tried now, in order of their first operation. They stay in the queue. */
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

    /**
     * Takes the operations of one pool, whether or not they may be tried, until {@link #finish}; empty if none waits.
     */
    public synchronized Optional<OperationGroup> take(PoolKey pool) {
        Bucket bucket = find(pool);
        if (bucket == null || bucket.size() == 0) {
            return Optional.empty();
        }
        size -= bucket.size();
        taken += bucket.taken == null ? 1 : 0;
        OperationGroup group = bucket.take();
        settle(bucket);
        return Optional.of(group);
    }

    /** Takes with a group the operations that arrived for its pool since it was taken. */
    public synchronized OperationGroup takeUp(OperationGroup group) {
        requeue(group.pool(), group.operations());
        return take(group.pool()).orElseThrow();
    }

    /** The update of what was taken of this pool has ended; what is to be tried again was requeued. */
    public synchronized void finish(PoolKey pool) {
        Bucket bucket = find(pool);
        if (bucket != null && bucket.taken != null) {
            bucket.taken = null;
            taken--;
            settle(bucket);
        }
    }

    /** Whether operations of any pool are taken and not finished. */
    public synchronized boolean isAnyTaken() {
        return taken > 0;
    }

    /** Whether operations of this pool are taken and not finished. */
    public synchronized boolean isTaken(PoolKey pool) {
        Bucket bucket = find(pool);
        return bucket != null && bucket.taken != null;
    }

    /** The operations of this pool that are taken, or else those that wait. */
    public synchronized Optional<OperationGroup> group(PoolKey pool) {
        Bucket bucket = find(pool);
        if (bucket == null || bucket.taken == null && bucket.size() == 0) {
            return Optional.empty();
        }
        OperationGroup group = bucket.taken;
        return Optional.of(group == null ? bucket.toGroup() : group);
    }

    /** The operations that a lane has taken; empty for none. */
    public synchronized List<PendingOperation> taken(PoolKey pool) {
        Bucket bucket = find(pool);
        OperationGroup taken = bucket == null ? null : bucket.taken;
        return taken == null ? List.of() : taken.operations();
    }

    /** The operations of this pool that are taken, then those that wait. */
    public synchronized List<PendingOperation> pending(PoolKey pool) {
        Bucket bucket = find(pool);
        return bucket == null ? List.of() : bucket.pending();
    }

    /** All groups that are taken, wait or are parked; unordered, and a pool may have two. */
    public synchronized List<OperationGroup> groups() {
        List<OperationGroup> groups = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            for (Bucket bucket : waiting.all()) {
                OperationGroup group = bucket.taken;
                if (group != null) {
                    groups.add(group);
                }
                if (bucket.size() > 0) {
                    groups.add(bucket.toGroup());
                }
            }
        }
        return groups;
    }

    /** Delays all operations of this pool until the given time, including those that arrive later. */
    public synchronized void rest(PoolKey pool, Instant until) {
        Bucket bucket = bucket(pool);
        bucket.restsUntil = until;
        bucket.notBefore = until;
        settle(bucket);
    }

    /**
     * Forgets pools for which nothing waits, unless they rest. Cost is proportional to the number of pools. Call this
     * periodically.
     */
    public synchronized void settle() {
        for (LoadBalancerQueue waiting : List.copyOf(loadBalancers.values())) {
            for (Bucket bucket : List.copyOf(waiting.all())) {
                if (bucket.size() == 0 && bucket.taken == null) {
                    setHeldByGuard(bucket, false);
                    bucket.wasKept = false;
                    settle(bucket);
                }
            }
        }
    }

    /**
     * Holds the operations now waiting for this pool until the given time or {@link #release}.
     *
     * @param until {@link Instant#MAX} if only {@link #release} ends it
     * @param byGuard whether a guard holds them, which is asked again before that
     */
    public synchronized void hold(PoolKey pool, Instant until, boolean byGuard) {
        Bucket bucket = bucket(pool);
        setHeldByGuard(bucket, bucket.isHeldByGuard || byGuard);
        bucket.notBefore = bucket.restsUntil.isAfter(until) ? bucket.restsUntil : until;
        settle(bucket);
    }

    /** Ends {@link #hold}. */
    public synchronized void release(PoolKey pool) {
        Bucket bucket = find(pool);
        if (bucket != null) {
            setHeldByGuard(bucket, false);
            bucket.notBefore = bucket.restsUntil;
            settle(bucket);
        }
    }

    private void setHeldByGuard(Bucket bucket, boolean now) {
        heldByGuards += (now ? 1 : 0) - (bucket.isHeldByGuard ? 1 : 0);
        bucket.isHeldByGuard = now;
    }

    /** Whether a guard holds any pool. */
    public synchronized boolean isAnyHeldByGuard() {
        return heldByGuards > 0;
    }

    /** The pools that guards hold, unordered. */
    public synchronized List<PoolKey> heldByGuards() {
        if (heldByGuards == 0) {
            return List.of();
        }
        List<PoolKey> pools = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            for (Bucket bucket : waiting.all()) {
                if (bucket.isHeldByGuard) {
                    pools.add(bucket.pool);
                }
            }
        }
        return pools;
    }

    /**
     * Notes whether the last attempt for this pool came to no end.
     *
     * @return whether that of the attempt before it did not either
     */
    public synchronized boolean setKept(PoolKey pool, boolean isKept) {
        Bucket bucket = isKept ? bucket(pool) : find(pool);
        if (bucket == null) {
            return false;
        }
        boolean wasKept = bucket.wasKept;
        bucket.wasKept = isKept;
        settle(bucket);
        return wasKept;
    }

    /** The groups that must wait until after {@code now}, unordered. They stay in the queue. */
    public synchronized List<OperationGroup> parked(Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        for (LoadBalancerQueue waiting : loadBalancers.values()) {
            waiting.parked(now).forEach(bucket -> groups.add(bucket.toGroup()));
        }
        return groups;
    }

    /** The operations that wait for this pool, in order. They stay in the queue. */
    public synchronized List<PendingOperation> waitingFor(PoolKey pool) {
        Bucket bucket = find(pool);
        return bucket == null ? List.of() : bucket.operations();
    }

    /** Whether any group may be tried now. Takes constant time. */
    public synchronized boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
            if (waiting.hasDue(now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this pool has waiting operations that may be tried now. */
    public synchronized boolean isDue(PoolKey pool, Instant now) {
        Bucket bucket = find(pool);
        return bucket != null && bucket.size() > 0 && bucket.isDue(now);
    }

    /** The load balancers with waiting operations, unordered. */
    public synchronized List<ArmName> loadBalancers() {
        List<ArmName> names = new ArrayList<>();
        for (Map.Entry<ArmName, LoadBalancerQueue> entry : loadBalancers.entrySet()) {
            if (entry.getValue().earliest() != null) {
                names.add(entry.getKey());
            }
        }
        return names;
    }

    /** Puts operations of one pool back, in their order, in front of those that arrived since they were drained. */
    public synchronized void requeue(PoolKey pool, List<PendingOperation> operations) {
        if (operations.isEmpty()) {
            return;
        }
        Bucket bucket = bucket(pool);
        size -= bucket.size();
        bucket.putBack(operations);
        size += bucket.size();
        settle(bucket);
    }

    /** The number of waiting operations. */
    public synchronized int size() {
        return size;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, empty if none is known. */
    public synchronized Optional<Instant> nextEligibleAt() {
        return nextEligibleAt(null);
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, empty if none is known. */
    public synchronized Optional<Instant> nextEligibleAt(@Nullable ArmName loadBalancer) {
        Instant earliest = Instant.MAX;
        for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
            Instant instant = waiting.earliest();
            if (instant != null && instant.isBefore(earliest)) {
                earliest = instant;
            }
        }
        return Optional.of(earliest).filter(Instant.MAX::isAfter);
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
        LoadBalancerQueue waiting = loadBalancer(pool);
        Bucket bucket = waiting.find(pool);
        if (bucket == null) {
            bucket = new Bucket(pool, nextBucket++);
            waiting.add(bucket);
        }
        return bucket;
    }
}
