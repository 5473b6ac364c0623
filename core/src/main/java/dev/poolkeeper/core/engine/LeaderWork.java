package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The work of one term as leader: its queue, its lanes, and its hold of the resource lock. A later term begins with new
 * ones, so nothing of an ended term is requeued, reported or sent.
 *
 * <ul>
 *   <li>Locks are taken in one order: {@code serviceReconcileLock}, for a lane's whole run; the resource lock, only if
 *       something may be tried; the queue's own lock, never across a call. If another writer holds the resource lock,
 *       the queue stays as it is. It is released after a minute at the latest, before other writers may have it.
 *   <li>A group of operations gets one read and at most one write a tick. Nothing read is carried over to the next.
 *   <li>Groups of one load balancer run one after another in the order of the queue. A load balancer that is still busy
 *       when the next tick comes holds up no other. It runs again as soon as it is free, once for all ticks that it
 *       missed.
 *   <li>An operation is tried at most {@code 1 + maxRetries} times and never before its {@code nextEligibleAt}.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Retry Model</em> to <em>Retry Timing</em>.
 */
final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    final Term term;
    final OperationQueue queue = new OperationQueue();

    /** Whether the load balancers were listed in this term; nothing is sent before that. */
    volatile boolean listed;

    private volatile boolean lockRefused;
    private final Lanes lanes;
    private final @Nullable Lane single;
    private final Map<ArmName, Lane> byLoadBalancer = new ConcurrentHashMap<>();

    /**
     * The groups that lanes have taken out of the queue and are not done with. Its lock is held while groups move here
     * from the queue; what moves back is in both for a moment.
     */
    private final Map<PoolKey, OperationGroup> inHand = new ConcurrentHashMap<>();

    private final ResourceLock resourceLock;
    private final SharedHold hold;
    private final PoolUpdate update;
    private final Duration callDeadline;
    private final InstantSource clock;

    LeaderWork(Term term, Assembly assembly, FailedUpdates failed, HeldUpdates held) {
        this.term = term;
        this.lanes = assembly.lanes();
        Lock lock = lanes.single();
        this.single = lock == null ? null : new Lane(null, lock);
        this.clock = assembly.time();
        this.callDeadline = assembly.settings().callDeadline();
        this.resourceLock = assembly.resourceLock();
        this.hold = new SharedHold(resourceLock, term, clock);
        this.update = new PoolUpdate(assembly, term, queue, hold, held, new Outcomes(assembly, queue, failed));
    }

    /**
     * Starts one tick and returns; load balancers that are still busy with an earlier one are left alone.
     *
     * @return completes when every lane that this tick started is free: it has made up for ticks that it missed in the
     *     meantime, too
     */
    CompletableFuture<Void> tick() {
        Instant now = clock.instant();
        lanes().forEach(lane -> lane.interruptCall(now, callDeadline));
        List<CompletableFuture<Void>> runs = new ArrayList<>();
        for (Lane lane : lanesWithWork()) {
            if (term.isCurrent() && lane.tryStart()) {
                CompletableFuture<Void> free = new CompletableFuture<>();
                submit(lane, free);
                runs.add(free);
            }
        }
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new));
    }

    private Collection<Lane> lanes() {
        Lane all = single;
        return all != null ? List.of(all) : byLoadBalancer.values();
    }

    private Collection<Lane> lanesWithWork() {
        Lane all = single;
        return all != null
                ? List.of(all)
                : queue.loadBalancers().stream()
                        .map(name -> byLoadBalancer.computeIfAbsent(name, key -> new Lane(key, lanes.lockOf(key))))
                        .toList();
    }

    /** Interrupts the calls in progress. To be used after the term has ended. */
    void interrupt() {
        lanes().forEach(lane -> lane.interruptCall(clock.instant(), Duration.ZERO));
    }

    /** Each run waits in line for a thread: a busy lane does not keep one to itself. */
    private void submit(Lane lane, CompletableFuture<Void> free) {
        try {
            lanes.executor().execute(() -> runUntilFree(lane, free));
        } catch (RuntimeException e) { // refused by the executor
            lane.end();
            free.completeExceptionally(e);
        }
    }

    private void runUntilFree(Lane lane, CompletableFuture<Void> free) {
        try {
            run(lane);
        } catch (RuntimeException | Error e) {
            lane.end();
            free.completeExceptionally(e);
            return;
        }
        if (lane.startMissedOrEnd()) {
            submit(lane, free);
        } else {
            free.complete(null);
        }
    }

    private void run(Lane lane) {
        lane.lock.lock();
        try {
            if (!term.isCurrent() || !queue.hasDue(lane.loadBalancer, clock.instant())) {
                return;
            }
            boolean wasRefused = lockRefused;
            lockRefused = !hold.join();
            if (lockRefused) {
                logRefusedLock(wasRefused ? Level.DEBUG : Level.INFO);
                return;
            }
            try {
                update(takeDue(lane), lane);
            } finally {
                hold.leave();
            }
        } finally {
            lane.lock.unlock();
        }
    }

    private void logRefusedLock(Level level) {
        resourceLock
                .holder()
                .ifPresentOrElse(
                        holder -> log.atLevel(level)
                                .addKeyValue("holder", holder.identity())
                                .addKeyValue("until", holder.until())
                                .log("Resource lock held by another writer; deferring to the next tick"),
                        () -> log.atLevel(level).log("Resource lock not available; deferring to the next tick"));
    }

    private List<OperationGroup> takeDue(Lane lane) {
        synchronized (inHand) {
            List<OperationGroup> groups = queue.drainDue(lane.loadBalancer, clock.instant());
            groups.forEach(group -> inHand.put(group.pool(), group));
            return groups;
        }
    }

    private void update(List<OperationGroup> groups, Lane lane) {
        int taken = 0;
        try {
            for (OperationGroup group : groups) {
                taken++;
                try {
                    update.run(group, lane);
                } finally {
                    inHand.remove(group.pool());
                }
            }
        } finally { // an error in one group must not lose the others
            for (OperationGroup group : groups.subList(taken, groups.size())) {
                queue.requeue(group.pool(), group.operations());
                inHand.remove(group.pool());
            }
        }
    }

    /** Whether another writer held the resource lock when it was last asked for. */
    boolean lockWasRefused() {
        return lockRefused;
    }

    /** Everything that waits, is parked, or is in a lane's hands; in no order, and a pool may have two. */
    List<OperationGroup> groups() {
        synchronized (inHand) {
            List<OperationGroup> groups = new ArrayList<>(inHand.values());
            groups.addAll(queue.waiting());
            return groups;
        }
    }

    /** Whether a lane has taken this pool's operations and is not done with them. */
    boolean isInHand(PoolKey pool) {
        return inHand.containsKey(pool);
    }

    /** The operations for this pool in a lane's hands, or else those that wait. */
    Optional<OperationGroup> group(PoolKey pool) {
        synchronized (inHand) {
            OperationGroup taken = inHand.get(pool);
            if (taken != null) {
                return Optional.of(taken);
            }
            List<PendingOperation> waiting = queue.waitingFor(pool);
            return waiting.isEmpty() ? Optional.empty() : Optional.of(new OperationGroup(pool, waiting));
        }
    }
}
