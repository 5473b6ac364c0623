package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * <p>Adding and superseding cost the same whatever the queue's length, removing a Service costs in proportion to the
 * operations of its pools; what is parked stays where it is until it is due. Methods with a {@code loadBalancer} look
 * at that one's operations only, or at all where it is null.
 *
 * <p>Thread-safe: every method takes the queue's own lock, which is never held across I/O and under which no other lock
 * is taken.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final UpdateModel model;
    private final Map<ArmName, Map<PoolKey, Bucket>> loadBalancers = new HashMap<>();
    private final Map<ServiceName, Set<PoolKey>> poolsOfService = new HashMap<>();
    private long nextSequence;
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
        note(operation.service(), bucket.pool);
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
        Set<PoolKey> pools = poolsOfService.remove(service);
        if (pools != null) {
            pools.forEach(pool -> removeFrom(pool, service));
        }
    }

    /** Drops every waiting operation of a Service for one pool, parked ones too. */
    public synchronized void remove(ServiceName service, PoolKey pool) {
        removeFrom(pool, service);
        forget(service, pool);
    }

    private void removeFrom(PoolKey pool, ServiceName service) {
        Bucket bucket = find(pool);
        if (bucket != null) {
            size -= bucket.remove(service);
            forgetIfEmpty(bucket);
        }
    }

    /** Drops this operation if it still waits just as given: not superseded, not taken out. */
    public synchronized void remove(PendingOperation operation) {
        Bucket bucket = find(operation.operation().pool());
        if (bucket != null) {
            size -= bucket.remove(operation);
            forgetIfEmpty(bucket);
            if (bucket.indexOf(operation.operation().service()) < 0) {
                forget(operation.operation().service(), bucket.pool);
            }
        }
    }

    /** Takes everything out: groups in order of their first operation. */
    public synchronized List<OperationGroup> drain() {
        return drainDue(null, Instant.MAX);
    }

    /** Takes out what may be tried now: groups in order of their first operation. What is parked stays. */
    public synchronized List<OperationGroup> drainDue(@Nullable ArmName loadBalancer, Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        for (Map<PoolKey, Bucket> pools : poolsOf(loadBalancer)) {
            for (Iterator<Bucket> buckets = pools.values().iterator(); buckets.hasNext(); ) {
                Bucket bucket = buckets.next();
                if (bucket.isDue(now)) {
                    groups.add(bucket.toGroup());
                    size -= bucket.size();
                    bucket.operations()
                            .forEach(operation -> forget(operation.operation().service(), bucket.pool));
                    buckets.remove();
                }
            }
        }
        loadBalancers.values().removeIf(Map::isEmpty);
        groups.sort(BY_ARRIVAL);
        return groups;
    }

    /** Whether something may be tried now. */
    public synchronized boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        for (Map<PoolKey, Bucket> pools : poolsOf(loadBalancer)) {
            for (Bucket bucket : pools.values()) {
                if (bucket.isDue(now)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The operations of the groups that have to wait, in no order. They stay in the queue. */
    public synchronized List<PendingOperation> parked(@Nullable ArmName loadBalancer, Instant now) {
        List<PendingOperation> parked = new ArrayList<>();
        for (Map<PoolKey, Bucket> pools : poolsOf(loadBalancer)) {
            for (Bucket bucket : pools.values()) {
                if (!bucket.isDue(now)) {
                    parked.addAll(bucket.operations());
                }
            }
        }
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
        Bucket bucket = bucket(pool);
        size -= bucket.size();
        bucket.putBack(operations, model.supersedes());
        size += bucket.size();
        operations.forEach(operation -> note(operation.operation().service(), bucket.pool));
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
        for (Map<PoolKey, Bucket> pools : loadBalancers.values()) {
            for (Bucket bucket : pools.values()) {
                if (earliest == null || bucket.eligibleAt().isBefore(earliest)) {
                    earliest = bucket.eligibleAt();
                }
            }
        }
        return Optional.ofNullable(earliest);
    }

    private Iterable<Map<PoolKey, Bucket>> poolsOf(@Nullable ArmName loadBalancer) {
        return loadBalancer == null
                ? loadBalancers.values()
                : List.of(loadBalancers.getOrDefault(loadBalancer, Map.of()));
    }

    private Bucket bucket(PoolKey pool) {
        return loadBalancers
                .computeIfAbsent(pool.loadBalancer(), name -> new HashMap<>())
                .computeIfAbsent(pool, Bucket::new);
    }

    private @Nullable Bucket find(PoolKey pool) {
        return loadBalancers.getOrDefault(pool.loadBalancer(), Map.of()).get(pool);
    }

    private void forgetIfEmpty(Bucket bucket) {
        if (bucket.size() == 0) {
            loadBalancers.computeIfPresent(bucket.pool.loadBalancer(), (name, pools) -> {
                pools.remove(bucket.pool);
                return pools.isEmpty() ? null : pools;
            });
        }
    }

    /** Nearly every Service has one pool, so the set is an immutable one of one element. */
    private void note(ServiceName service, PoolKey pool) {
        poolsOfService.merge(service, Set.of(pool), OperationQueue::union);
    }

    private static Set<PoolKey> union(Set<PoolKey> pools, Set<PoolKey> more) {
        if (pools.containsAll(more)) {
            return pools;
        }
        List<PoolKey> all = new ArrayList<>(pools);
        all.addAll(more);
        return Set.copyOf(all);
    }

    private void forget(ServiceName service, PoolKey pool) {
        poolsOfService.computeIfPresent(service, (key, pools) -> {
            if (!pools.contains(pool)) {
                return pools;
            }
            List<PoolKey> rest = new ArrayList<>(pools);
            rest.remove(pool);
            return rest.isEmpty() ? null : Set.copyOf(rest);
        });
    }
}
