package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Operations that wait for a tick, by pool and in order of arrival. The one object that watch threads and the tick
 * share.
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
 * operations of its pools, and where those are parked to the logarithm of how many are; to know that nothing may go
 * costs nothing. Thread-safe: every method takes the queue's own lock, which is never held across I/O and under which
 * no other lock is taken.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final UpdateModel model;
    private Map<PoolKey, Bucket> buckets = new HashMap<>();
    private ServicePools poolsOfService = new ServicePools();

    /** Those of the buckets that were told to wait, the first to go first; some may be due. */
    private final TreeSet<Bucket> parked = new TreeSet<>(Bucket.BY_ELIGIBILITY);

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
        Bucket bucket = bucket(operation.pool());
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

    private void removeFrom(PoolKey pool, Predicate<PendingOperation> condition) {
        Bucket bucket = buckets.get(pool);
        if (bucket != null) {
            size -= bucket.removeIf(condition);
            if (bucket.size() == 0) {
                buckets.remove(pool);
            }
            settle(bucket);
        }
    }

    /**
     * Drops these very operations of a pool if they still wait. One that another one superseded meanwhile is not in the
     * queue any more, and that other one stays.
     */
    public synchronized void drop(PoolKey pool, Collection<PendingOperation> operations) {
        Set<PendingOperation> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
        dropped.addAll(operations);
        removeFrom(pool, dropped::contains);
        for (PendingOperation operation : operations) {
            ServiceName service = operation.operation().service();
            Bucket bucket = buckets.get(pool);
            if (bucket == null || bucket.indexOf(service) < 0) {
                poolsOfService.forget(service, pool);
            }
        }
    }

    /** Takes everything out, parked or not: groups in order of their first operation. */
    public synchronized List<OperationGroup> drain() {
        return take(new ArrayList<>(buckets.values()));
    }

    /**
     * Takes out the groups that may be tried at {@code now}, in order of their first operation. Those that have to wait
     * stay as they are. Costs nothing where all of them have to.
     *
     * @param pools which pools are asked for; called under the queue's lock, so it takes none
     */
    public synchronized List<OperationGroup> drainEligible(Instant now, Predicate<PoolKey> pools) {
        if (!isAnyEligible(now)) {
            return List.of();
        }
        List<Bucket> due = new ArrayList<>();
        for (Bucket bucket : buckets.values()) {
            if (!bucket.isParked(now) && pools.test(bucket.pool)) {
                due.add(bucket);
            }
        }
        return take(due);
    }

    /** Whether a group may be tried at {@code now}. Costs nothing, whatever the number of groups. */
    public synchronized boolean isAnyEligible(Instant now) {
        Instant earliest = earliest();
        return earliest != null && !earliest.isAfter(now);
    }

    /** The groups that have to wait until after {@code now}, as they are at this moment; they stay in the queue. */
    public synchronized List<OperationGroup> parked(Instant now) {
        List<OperationGroup> groups = new ArrayList<>(parked.size());
        for (Bucket bucket : parked) {
            if (bucket.isParked(now)) {
                groups.add(bucket.toGroup());
            }
        }
        return groups;
    }

    private List<OperationGroup> take(List<Bucket> taken) {
        List<OperationGroup> groups = new ArrayList<>(taken.size());
        taken.forEach(bucket -> groups.add(bucket.toGroup()));
        groups.sort(BY_ARRIVAL);
        if (taken.size() == buckets.size()) { // tables that were large once would be large for ever
            buckets = new HashMap<>();
            poolsOfService = new ServicePools();
            parked.clear();
            size = 0;
        } else {
            taken.forEach(this::forget);
        }
        return groups;
    }

    private void forget(Bucket bucket) {
        buckets.remove(bucket.pool);
        parked.remove(bucket);
        size -= bucket.size();
        for (PendingOperation operation : bucket.operations()) {
            poolsOfService.forget(operation.operation().service(), bucket.pool);
        }
    }

    /** Puts operations of one pool back, before those that arrived since they were drained; in their order. */
    public synchronized void requeue(PoolKey pool, List<PendingOperation> operations) {
        if (operations.isEmpty()) {
            return;
        }
        Bucket bucket = bucket(pool);
        size -= bucket.size();
        bucket.putBack(operations, model.supersedes());
        size += bucket.size();
        settle(bucket);
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
        return Optional.ofNullable(earliest());
    }

    private @Nullable Instant earliest() {
        if (buckets.size() > parked.size()) {
            return Instant.MIN;
        }
        return parked.isEmpty() ? null : parked.first().eligibleAt;
    }

    /** Finds the bucket's place among the parked ones anew. */
    private void settle(Bucket bucket) {
        Instant eligibleAt = bucket.latestEligibleAt();
        if (eligibleAt.equals(bucket.eligibleAt)) {
            return;
        }
        parked.remove(bucket);
        bucket.eligibleAt = eligibleAt;
        if (!eligibleAt.equals(Instant.MIN)) {
            parked.add(bucket);
        }
    }

    private Bucket bucket(PoolKey pool) {
        Bucket bucket = buckets.get(pool);
        if (bucket == null) {
            bucket = new Bucket(pool, nextBucket++);
            buckets.put(pool, bucket);
        }
        return bucket;
    }
}
