package dev.poolkeeper.core.queue;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the pools of one term are tried: those with operations that wait, by load balancer, and those that
 * lanes have taken. The operations themselves are the {@link Pool}'s.
 *
 * <ul>
 *   <li>An operation either waits or is being processed by a lane, never both.
 *   <li>Requeued operations go before those that arrived in the meantime, in their original order.
 *   <li>At most one {@link Operation.Sync} waits per Service and pool: a further change keeps its position and
 *       {@code nextEligibleAt} and resets its {@code retryCount} to 0.
 *   <li>Operations without effect (adding or removing no address) are not queued.
 *   <li>After {@link #end} nothing waits, and nothing is queued any more.
 * </ul>
 *
 * <p>A pool may be tried once it has waited for the gathering time, all its operations are past their
 * {@code nextEligibleAt}, and it is neither resting nor held.
 *
 * <p>Adding takes constant time. Removing a Service's operations takes time proportional to the operations of the pool,
 * plus the logarithm of the number of parked pools if this one is parked. Parked operations are not touched until they
 * are due, and checking whether any operation is due takes constant time. Methods with a {@code loadBalancer} consider
 * only its operations, or those of all load balancers if it is null.
 *
 * <p>Thread-safe: every method acquires the lock of the {@link Pools}, which is never held across I/O.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final Pools pools;
    private final InstantSource clock;
    private final Duration gather;
    private final Map<ArmName, LoadBalancerQueue> loadBalancers = new HashMap<>();
    private final Set<Pool> inHand = new LinkedHashSet<>();
    private final Set<Pool> heldByGuards = new LinkedHashSet<>();
    private long nextSequence;
    private int size;
    private boolean ended;

    /**
     * @param pools the pools, of which no other queue is in use
     * @param clock timestamps queued operations
     * @param gather how long a pool waits after its first change to batch further changes; zero for no wait
     */
    public OperationQueue(Pools pools, InstantSource clock, Duration gather) {
        this.pools = pools;
        this.clock = clock;
        this.gather = gather;
    }

    /** Queues an operation behind all others; a {@link Operation.Sync} that is already waiting is marked as changed. */
    public void add(Operation operation) {
        synchronized (pools) {
            if (ended || operation.isNothing()) {
                return;
            }
            Pool pool = pools.getOrAdd(operation.pool());
            if (operation instanceof Operation.Sync sync && pool.hasSync(sync.service())) {
                pool.changed(sync.service());
            } else {
                append(pool, operation);
            }
        }
    }

    /** Queues the operations of one change, which are taken together. */
    public void addAll(List<? extends Operation> operations) {
        synchronized (pools) {
            for (Operation operation : operations) {
                add(operation);
            }
        }
    }

    /** Queues the operation unless one is already waiting for the same Service and pool, which stays unchanged. */
    public void ensure(Operation.Sync operation) {
        synchronized (pools) {
            if (ended) {
                return;
            }
            Pool pool = pools.getOrAdd(operation.pool());
            if (!pool.hasSync(operation.service())) {
                append(pool, operation);
            }
        }
    }

    private void append(Pool pool, Operation operation) {
        pool.append(PendingOperation.fresh(operation, nextSequence++, clock.instant()));
        size++;
        if (pool.size() == 1) { // later ones do not postpone it
            settle(pool);
        }
    }

    /** Call this after the pool was changed: moves it to its new position. */
    private void settle(Pool pool) {
        ArmName name = pool.key.loadBalancer();
        LoadBalancerQueue queue = loadBalancers.computeIfAbsent(name, key -> new LoadBalancerQueue());
        queue.remove(pool);
        pool.settle(gather);
        if (pool.size() > 0) {
            queue.add(pool);
        } else if (queue.isEmpty()) {
            loadBalancers.remove(name);
        }
        if (pool.isHeldByGuard()) {
            heldByGuards.add(pool);
        } else {
            heldByGuards.remove(pool);
        }
        pools.forgetIfUnused(pool);
    }

    private @Nullable Pool find(PoolKey pool) {
        return ended ? null : pools.get(pool);
    }

    /** Drops all operations. What is in hand is not requeued, and nothing is queued any more. */
    public void end() {
        synchronized (pools) {
            Stream.concat(inHand.stream(), all()).distinct().toList().forEach(pool -> {
                pool.clear();
                settle(pool);
            });
            inHand.clear();
            size = 0;
            ended = true;
        }
    }

    private Stream<Pool> all() {
        return loadBalancers.values().stream().flatMap(queue -> queue.all().stream());
    }

    /** Drops all waiting operations of a Service for one pool, including parked ones. */
    public void remove(ServiceName service, PoolKey pool) {
        removeFrom(pool, pending -> pending.operation().service().equals(service));
    }

    /** A mark: operations now waiting have a lower {@code sequence}, later ones do not. */
    public long mark() {
        synchronized (pools) {
            return nextSequence;
        }
    }

    /** The pools with a waiting operation that was queued after the mark was taken; unordered. */
    public List<PoolKey> queuedSince(long mark) {
        synchronized (pools) {
            return mark == nextSequence
                    ? List.of()
                    : all().filter(pool -> pool.lastSequence() >= mark)
                            .map(pool -> pool.key)
                            .toList();
        }
    }

    /** Drops the operations for a pool that were queued after the mark was taken. */
    public void removeSince(long mark, PoolKey pool) {
        removeFrom(pool, pending -> pending.sequence() >= mark);
    }

    private void removeFrom(PoolKey key, Predicate<PendingOperation> condition) {
        synchronized (pools) {
            Pool pool = find(key);
            if (pool != null) {
                size -= pool.removeIf(condition);
                settle(pool);
            }
        }
    }

    /** The groups that may be tried now, in order of their first operation. They stay in the queue. */
    public List<OperationGroup> due(@Nullable ArmName loadBalancer, Instant now) {
        synchronized (pools) {
            return waitingFor(loadBalancer).stream()
                    .flatMap(queue -> queue.due(now).stream())
                    .map(Pool::group)
                    .sorted(BY_ARRIVAL)
                    .toList();
        }
    }

    /**
     * Takes the operations of one pool, whether or not they may be tried, until {@link #finish}; empty if none waits.
     */
    public Optional<OperationGroup> take(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            if (pool == null || pool.size() == 0) {
                return Optional.empty();
            }
            size -= pool.size();
            inHand.add(pool);
            OperationGroup group = pool.take();
            settle(pool);
            return Optional.of(group);
        }
    }

    /** Takes with a group the operations that arrived for its pool since it was taken. */
    public OperationGroup takeUp(OperationGroup group) {
        synchronized (pools) {
            requeue(group.pool(), group.operations());
            return take(group.pool()).orElse(group); // if the term has ended
        }
    }

    /** The update of what was taken of this pool has ended; what is to be tried again was requeued. */
    public void finish(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            if (pool != null && inHand.remove(pool)) {
                pool.finish();
                settle(pool);
            }
        }
    }

    /** Whether operations of any pool are taken and not finished. */
    public boolean isAnyTaken() {
        synchronized (pools) {
            return !inHand.isEmpty();
        }
    }

    /** Whether operations of this pool are taken and not finished. */
    public boolean isTaken(PoolKey key) {
        return !taken(key).isEmpty();
    }

    /** The operations of this pool that are taken, or else those that wait. */
    public Optional<OperationGroup> group(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            if (pool == null || pool.inHand() == null && pool.size() == 0) {
                return Optional.empty();
            }
            OperationGroup taken = pool.inHand();
            return Optional.of(taken == null ? pool.group() : taken);
        }
    }

    /** The operations that a lane has taken; empty for none. */
    public List<PendingOperation> taken(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            OperationGroup taken = pool == null ? null : pool.inHand();
            return taken == null ? List.of() : taken.operations();
        }
    }

    /** The operations of this pool that are taken, then those that wait. */
    public List<PendingOperation> pending(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            return pool == null ? List.of() : pool.pending();
        }
    }

    /** All groups that are taken, wait or are parked; unordered, and a pool may have two. */
    public List<OperationGroup> groups() {
        synchronized (pools) {
            List<OperationGroup> groups = new ArrayList<>();
            inHand.forEach(pool -> groups.add(requireNonNull(pool.inHand())));
            all().map(Pool::group).forEach(groups::add);
            return groups;
        }
    }

    /** Delays all operations of this pool until the given time, including those that arrive later. */
    public void rest(PoolKey pool, Instant until) {
        change(pool, resting -> resting.rest(until));
    }

    /**
     * Holds the operations now waiting for this pool until the given time or {@link #release}.
     *
     * @param until {@link Instant#MAX} if only {@link #release} ends it
     * @param byGuard whether a guard holds them, which is asked again before that
     */
    public void hold(PoolKey pool, Instant until, boolean byGuard) {
        change(pool, held -> held.hold(until, byGuard));
    }

    /** Ends {@link #hold}. */
    public void release(PoolKey pool) {
        change(pool, Pool::release);
    }

    private void change(PoolKey key, Consumer<Pool> change) {
        synchronized (pools) {
            Pool pool = find(key);
            if (pool != null) {
                change.accept(pool);
                settle(pool);
            }
        }
    }

    /** Whether a guard holds any pool. */
    public boolean isAnyHeldByGuard() {
        synchronized (pools) {
            return !heldByGuards.isEmpty();
        }
    }

    /** The pools that guards hold, unordered. */
    public List<PoolKey> heldByGuards() {
        synchronized (pools) {
            return heldByGuards.stream().map(pool -> pool.key).toList();
        }
    }

    /**
     * Notes whether the last attempt for this pool came to no end.
     *
     * @return whether that of the attempt before it did not either
     */
    public boolean setKept(PoolKey key, boolean isKept) {
        synchronized (pools) {
            Pool pool = find(key);
            return pool != null && pool.setKept(isKept);
        }
    }

    /** The groups that must wait until after {@code now}, unordered. They stay in the queue. */
    public List<OperationGroup> parked(Instant now) {
        synchronized (pools) {
            return loadBalancers.values().stream()
                    .flatMap(queue -> queue.parked(now).stream())
                    .map(Pool::group)
                    .toList();
        }
    }

    /** The operations that wait for this pool, in order. They stay in the queue. */
    public List<PendingOperation> waitingFor(PoolKey key) {
        synchronized (pools) {
            Pool pool = find(key);
            return pool == null ? List.of() : pool.waiting();
        }
    }

    /** Whether any group may be tried now. Takes constant time. */
    public boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        return nextEligibleAt(loadBalancer).filter(at -> !at.isAfter(now)).isPresent();
    }

    /** Whether this pool has waiting operations that may be tried now. */
    public boolean isDue(PoolKey key, Instant now) {
        synchronized (pools) {
            Pool pool = find(key);
            return pool != null && pool.size() > 0 && pool.isDue(now);
        }
    }

    /** The load balancers with waiting operations, unordered. */
    public List<ArmName> loadBalancers() {
        synchronized (pools) {
            return List.copyOf(loadBalancers.keySet());
        }
    }

    /** Puts operations of one pool back, in their order, in front of those that arrived since they were drained. */
    public void requeue(PoolKey key, List<PendingOperation> operations) {
        synchronized (pools) {
            if (ended || operations.isEmpty()) {
                return;
            }
            Pool pool = pools.getOrAdd(key);
            size -= pool.size();
            pool.putBack(operations);
            size += pool.size();
            settle(pool);
        }
    }

    /** The number of waiting operations. */
    public int size() {
        synchronized (pools) {
            return size;
        }
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, empty if none is known. */
    public Optional<Instant> nextEligibleAt() {
        return nextEligibleAt(null);
    }

    /** The earliest time at which a group may be tried; {@link Instant#MIN} for immediately, empty if none is known. */
    public Optional<Instant> nextEligibleAt(@Nullable ArmName loadBalancer) {
        synchronized (pools) {
            Instant earliest = Instant.MAX;
            for (LoadBalancerQueue waiting : waitingFor(loadBalancer)) {
                earliest = waiting.earliest().isBefore(earliest) ? waiting.earliest() : earliest;
            }
            return Optional.of(earliest).filter(Instant.MAX::isAfter);
        }
    }

    private Collection<LoadBalancerQueue> waitingFor(@Nullable ArmName loadBalancer) {
        if (loadBalancer == null) {
            return loadBalancers.values();
        }
        LoadBalancerQueue waiting = loadBalancers.get(loadBalancer);
        return waiting == null ? List.of() : List.of(waiting);
    }
}
