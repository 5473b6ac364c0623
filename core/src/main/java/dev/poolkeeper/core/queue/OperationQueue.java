package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
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
 * Operations that wait for a tick, by load balancer and pool and in order of arrival. The one object that watch threads
 * and the tick share.
 *
 * <ul>
 *   <li>An operation is in the queue or in the hands of a tick, never in both.
 *   <li>Requeued operations stand before those that arrived meanwhile, in the order they had.
 *   <li>In a model that supersedes, a Service has at most one operation a pool: a newer one takes the older one's
 *       place, with {@code retryCount} 0 and the same {@code nextEligibleAt}; one that wants the same changes nothing.
 *   <li>Operations that are nothing (adding or removing no address) are not queued.
 * </ul>
 *
 * <p>Adding and superseding cost the same whatever the queue's length; removing a Service costs in proportion to the
 * operations of its pools, and where those are parked to the logarithm of how many are; what is parked stays where it
 * is until it is due, and to know that nothing is due costs nothing. Methods with a {@code loadBalancer} look at that
 * one's operations only, or at all where it is null.
 *
 * <p>Thread-safe: every method takes the queue's own lock, which is never held across I/O and under which no other lock
 * is taken.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final UpdateModel model;
    private final Map<ArmName, Waiting> loadBalancers = new HashMap<>();
    private ServicePools poolsOfService = new ServicePools();
    private long nextSequence;
    private long nextBucket;
    private int size;

    public OperationQueue(UpdateModel model) {
        this.model = model;
    }

    public UpdateModel model() {
        return model;
    }

    /** Queues an operation behind all others, or in the place of the one it supersedes. */
    public synchronized void add(Operation operation) {
        if (operation.isNothing()) {
            return;
        }
        Bucket bucket = bucket(operation.pool(), waiting(operation.pool()));
        int older = model.supersedes() ? bucket.indexOf(operation.service()) : -1;
        if (older >= 0) {
            supersede(bucket, older, operation);
            return;
        }
        bucket.append(PendingOperation.fresh(operation, nextSequence++));
        poolsOfService.note(operation.service(), bucket.pool);
        size++;
    }

    private static void supersede(Bucket bucket, int older, Operation operation) {
        PendingOperation pending = bucket.get(older);
        if (!pending.operation().equals(operation)) {
            bucket.set(older, pending.supersededBy(operation));
        }
    }

    /** Drops every waiting operation of a Service, parked ones too. */
    public synchronized void remove(ServiceName service) {
        poolsOfService.forget(service).forEach(pool -> removeFrom(pool, service));
    }

    /** Drops every waiting operation of a Service for one pool, parked ones too. */
    public synchronized void remove(ServiceName service, PoolKey pool) {
        removeFrom(pool, service);
        poolsOfService.forget(service, pool);
    }

    private void removeFrom(PoolKey pool, ServiceName service) {
        removeFrom(pool, operation -> operation.operation().service().equals(service));
    }

    /** Drops this operation if it still waits just as given: not superseded, not taken out. */
    public synchronized void remove(PendingOperation operation) {
        ServiceName service = operation.operation().service();
        Bucket bucket = removeFrom(operation.operation().pool(), operation::equals);
        if (bucket != null && bucket.indexOf(service) < 0) {
            poolsOfService.forget(service, bucket.pool);
        }
    }

    private @Nullable Bucket removeFrom(PoolKey pool, Predicate<PendingOperation> condition) {
        Waiting waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        if (waiting != null && bucket != null) {
            size -= bucket.removeIf(condition);
            waiting.settle(bucket);
            if (waiting.isEmpty()) {
                loadBalancers.remove(pool.loadBalancer());
            }
        }
        return bucket;
    }

    /** Takes everything out: groups in order of their first operation. */
    public synchronized List<OperationGroup> drain() {
        return drainDue(null, Instant.MAX);
    }

    /** Takes out what may be tried now: groups in order of their first operation. What is parked stays. */
    public synchronized List<OperationGroup> drainDue(@Nullable ArmName loadBalancer, Instant now) {
        List<Bucket> due = new ArrayList<>();
        for (Waiting waiting : waitingFor(loadBalancer)) {
            due.addAll(waiting.takeDue(now));
        }
        loadBalancers.values().removeIf(Waiting::isEmpty);
        due.forEach(bucket -> size -= bucket.size());
        if (size == 0) { // a table that was large once would be large for ever
            poolsOfService = new ServicePools();
        } else {
            due.forEach(this::forgetServices);
        }
        List<OperationGroup> groups = new ArrayList<>(due.size());
        due.forEach(bucket -> groups.add(bucket.toGroup()));
        groups.sort(BY_ARRIVAL);
        return groups;
    }

    private void forgetServices(Bucket bucket) {
        for (PendingOperation operation : bucket.operations()) {
            poolsOfService.forget(operation.operation().service(), bucket.pool);
        }
    }

    /** What {@link #drainDue} would take out of all load balancers, in no order. It stays in the queue. */
    public synchronized List<OperationGroup> due(Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        for (Waiting waiting : loadBalancers.values()) {
            waiting.due(now).forEach(bucket -> groups.add(bucket.toGroup()));
        }
        return groups;
    }

    /** The operations that wait for this pool, in order. They stay in the queue. */
    public synchronized List<PendingOperation> waitingFor(PoolKey pool) {
        Waiting waiting = loadBalancers.get(pool.loadBalancer());
        Bucket bucket = waiting == null ? null : waiting.find(pool);
        return bucket == null ? List.of() : bucket.operations();
    }

    /** Whether something may be tried now. Costs nothing, whatever the number of groups. */
    public synchronized boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        for (Waiting waiting : waitingFor(loadBalancer)) {
            if (waiting.hasDue(now)) {
                return true;
            }
        }
        return false;
    }

    /** The operations of the groups that have to wait, in no order. They stay in the queue. */
    public synchronized List<PendingOperation> parked(@Nullable ArmName loadBalancer, Instant now) {
        List<PendingOperation> parked = new ArrayList<>();
        waitingFor(loadBalancer).forEach(waiting -> waiting.collectParked(now, parked));
        return parked;
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
        Waiting waiting = waiting(pool);
        Bucket bucket = bucket(pool, waiting);
        size -= bucket.size();
        bucket.putBack(operations, model.supersedes());
        size += bucket.size();
        waiting.settle(bucket);
        operations.forEach(
                operation -> poolsOfService.note(operation.operation().service(), bucket.pool));
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
        Instant earliest = null;
        for (Waiting waiting : loadBalancers.values()) {
            Instant instant = waiting.earliest();
            if (instant != null && (earliest == null || instant.isBefore(earliest))) {
                earliest = instant;
            }
        }
        return Optional.ofNullable(earliest);
    }

    private Collection<Waiting> waitingFor(@Nullable ArmName loadBalancer) {
        if (loadBalancer == null) {
            return loadBalancers.values();
        }
        Waiting waiting = loadBalancers.get(loadBalancer);
        return waiting == null ? List.of() : List.of(waiting);
    }

    private Waiting waiting(PoolKey pool) {
        return loadBalancers.computeIfAbsent(pool.loadBalancer(), name -> new Waiting());
    }

    private Bucket bucket(PoolKey pool, Waiting waiting) {
        Bucket bucket = waiting.find(pool);
        if (bucket == null) {
            bucket = new Bucket(pool, nextBucket++);
            waiting.add(bucket);
        }
        return bucket;
    }
}
