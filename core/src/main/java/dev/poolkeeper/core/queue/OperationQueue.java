package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.pool.Backlog;
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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
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
 *   <li>Of many operations that wait for a pool, what later ones make redundant is dropped.
 *   <li>Operations without effect (adding or removing no address) are not queued.
 *   <li>After {@link #end} nothing waits, and nothing is queued any more.
 * </ul>
 *
 * <p>A pool may be tried once it has waited for the gathering time, all its operations are past their
 * {@code nextEligibleAt}, and it is neither resting nor held.
 *
 * <p>Adding takes constant time on average. Removing a Service's operations takes time proportional to the operations
 * of the pool, plus the logarithm of the number of parked pools if this one is parked. Parked operations are not
 * touched until they are due, and checking whether any operation is due takes constant time. Methods with a
 * {@code loadBalancer} consider only its operations, or those of all load balancers if it is null.
 *
 * <p>Thread-safe: every method acquires the lock of the {@link Pools}, which is never held across I/O.
 */
public final class OperationQueue {

    private static final Comparator<OperationGroup> BY_ARRIVAL = Comparator.comparingLong(OperationGroup::sequence);

    private final Pools pools;
    private final InstantSource clock;
    private final Duration gather;
    private final Map<ArmName, LoadBalancerQueue> loadBalancers = new HashMap<>();
    private final Set<PoolKey> inHand = new LinkedHashSet<>();
    private final Set<PoolKey> heldByGuards = new LinkedHashSet<>();
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

    // --- what changes ---

    /** Changes the operations of a pool, or until when they wait. No effect once the term has ended. */
    public void change(PoolKey key, UnaryOperator<Pool> change) {
        synchronized (pools) {
            if (!ended) {
                Pool before = pools.change(key, change);
                moved(before, pools.get(key));
            }
        }
    }

    private void changeBacklog(PoolKey key, UnaryOperator<Backlog> change) {
        change(key, pool -> pool.withBacklog(change));
    }

    @SuppressWarnings("ReferenceEquality") // what a change leaves alone is the same object
    private void moved(Pool before, Pool after) {
        Backlog then = before.backlog();
        Backlog now = after.backlog();
        if (now == then) {
            return;
        }
        size += now.size() - then.size();
        keep(inHand, after.key(), then.inHand() != null, now.inHand() != null);
        keep(heldByGuards, after.key(), then.isHeldByGuard(), now.isHeldByGuard());
        Instant from = then.eligibleAt(gather);
        Instant to = now.eligibleAt(gather);
        boolean waited = then.size() > 0;
        boolean waits = now.size() > 0;
        if (waited != waits || !from.equals(to)) {
            ArmName name = after.key().loadBalancer();
            LoadBalancerQueue queue = loadBalancers.computeIfAbsent(name, key -> new LoadBalancerQueue());
            if (waited) {
                queue.remove(before, from);
            }
            if (waits) {
                queue.add(after, to);
            }
            if (queue.isEmpty()) {
                loadBalancers.remove(name);
            }
        }
    }

    private static void keep(Set<PoolKey> pools, PoolKey pool, boolean wasIn, boolean isIn) {
        if (isIn && !wasIn) {
            pools.add(pool);
        } else if (wasIn && !isIn) {
            pools.remove(pool);
        }
    }

    /** Queues an operation behind all others; a {@link Operation.Sync} that is already waiting is marked as changed. */
    public void add(Operation operation) {
        synchronized (pools) {
            if (operation.isNothing()) {
                return;
            }
            if (isWaiting(operation)) {
                changeBacklog(operation.pool(), it -> it.changed(operation.service(), clock.instant()));
            } else {
                append(operation);
            }
        }
    }

    /** Queues the operations of one change, which are taken together. */
    public void addAll(List<? extends Operation> operations) {
        synchronized (pools) {
            operations.forEach(this::add);
        }
    }

    /** Queues the operation unless one is already waiting for the same Service and pool, which stays unchanged. */
    public void ensure(Operation.Sync operation) {
        synchronized (pools) {
            if (!isWaiting(operation)) {
                append(operation);
            }
        }
    }

    private boolean isWaiting(Operation operation) {
        return operation instanceof Operation.Sync sync
                && pools.get(sync.pool()).backlog().hasSync(sync.service());
    }

    private void append(Operation operation) {
        if (!ended) {
            PendingOperation fresh = PendingOperation.fresh(operation, nextSequence++, clock.instant());
            Pool before = pools.change(operation.pool(), pool -> pool.withBacklog(it -> it.appended(fresh)));
            if (before.backlog().size() == 0 || !gather.isZero()) {
                moved(before, pools.get(operation.pool()));
            } else { // later ones do not postpone it
                size += pools.get(operation.pool()).backlog().size()
                        - before.backlog().size();
            }
        }
    }

    /** Drops all waiting operations of a Service for one pool, including parked ones. */
    public void remove(ServiceName service, PoolKey pool) {
        drop(pool, pending -> pending.operation().service().equals(service));
    }

    private void drop(PoolKey key, Predicate<PendingOperation> condition) {
        changeBacklog(key, it -> it.waiting().stream().anyMatch(condition) ? it.without(condition) : it);
    }

    /**
     * Takes the operations of one pool, whether or not they may be tried, until {@link #finish}; empty if none waits.
     */
    public Optional<OperationGroup> take(PoolKey key) {
        synchronized (pools) {
            if (ended || pools.get(key).backlog().size() == 0) {
                return Optional.empty();
            }
            change(key, Pool::taken);
            return pools.get(key).group();
        }
    }

    /** The update of what was taken of this pool has ended; what is to be tried again was requeued. */
    public void finish(PoolKey key) {
        changeBacklog(key, it -> it.inHand() == null ? it : it.finished());
    }

    /**
     * Drops all operations. What is in hand is not requeued, and nothing is queued any more. Cost is proportional to
     * the number of pools.
     */
    public void end() {
        synchronized (pools) {
            pools.all().forEach(pool -> change(pool.key(), Pool::idle));
            ended = true;
        }
    }

    private List<PoolKey> all() {
        return loadBalancers.values().stream()
                .flatMap(queue -> queue.all().stream())
                .toList();
    }

    // --- what waits ---

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
                    : all().stream()
                            .filter(key -> pools.get(key).backlog().waiting().stream()
                                    .anyMatch(pending -> pending.sequence() >= mark))
                            .toList();
        }
    }

    /** The groups that may be tried now, in order of their first operation. They stay in the queue. */
    public List<OperationGroup> due(@Nullable ArmName loadBalancer, Instant now) {
        return ready(loadBalancer, now).stream()
                .map(Pool::waiting)
                .sorted(BY_ARRIVAL)
                .toList();
    }

    /** The pools with operations that wait and may be tried now, unordered. */
    public List<Pool> ready(@Nullable ArmName loadBalancer, Instant now) {
        synchronized (pools) {
            return waitingFor(loadBalancer).stream()
                    .flatMap(queue -> queue.due(now).stream())
                    .map(pools::get)
                    .toList();
        }
    }

    /** Whether operations of any pool are taken and not finished. */
    public boolean isAnyTaken() {
        synchronized (pools) {
            return !inHand.isEmpty();
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
            return List.copyOf(heldByGuards);
        }
    }

    /** The groups that must wait until after {@code now}, unordered. They stay in the queue. */
    public List<OperationGroup> parked(Instant now) {
        synchronized (pools) {
            return loadBalancers.values().stream()
                    .flatMap(queue -> queue.parked(now).stream())
                    .map(key -> pools.get(key).waiting())
                    .toList();
        }
    }

    /** Whether any group may be tried now. Takes constant time. */
    public boolean hasDue(@Nullable ArmName loadBalancer, Instant now) {
        return nextEligibleAt(loadBalancer).filter(at -> !at.isAfter(now)).isPresent();
    }

    /** Whether this pool has waiting operations that may be tried now. */
    public boolean isDue(PoolKey key, Instant now) {
        Backlog backlog = pools.get(key).backlog();
        return backlog.size() > 0 && !backlog.eligibleAt(gather).isAfter(now);
    }

    /** The place in order of what waits for this pool. */
    public long sequence(PoolKey key) {
        return pools.get(key).backlog().waiting().stream()
                .findFirst()
                .map(PendingOperation::sequence)
                .orElse(Long.MAX_VALUE);
    }

    /** The load balancers with waiting operations, unordered. */
    public List<ArmName> loadBalancers() {
        synchronized (pools) {
            return List.copyOf(loadBalancers.keySet());
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
