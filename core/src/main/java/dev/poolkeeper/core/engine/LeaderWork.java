package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
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
 *   <li>Locks are taken in one order: {@code serviceReconcileLock}, while a lane's updates run; the resource lock, only
 *       if something may be tried; the queue's own lock, never across a call. If another writer holds the resource
 *       lock, the queue stays as it is.
 *   <li>A group of operations gets one read and at most one write. Nothing read is carried over to the next.
 *   <li>Groups of one load balancer run one after another. A load balancer that is still busy when the next tick comes
 *       holds up no other; what the tick gives it to do, it does as soon as it is free.
 *   <li>An operation is tried at most {@code 1 + maxRetries} times and never before its {@code nextEligibleAt}.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Retry Model</em> to <em>Retry Timing</em>.
 */
final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    final Term term;
    final OperationQueue queue;

    /** Whether the load balancers were listed in this term; nothing is sent before that. */
    volatile boolean listed;

    /** Whether what is due may have to wait because little is left of the quota. */
    boolean isShortOfQuota() {
        return pacing.isShortOfQuota();
    }

    /** Since when another writer holds the resource lock; null while none is known to. */
    private final AtomicReference<@Nullable Instant> lockRefusedSince = new AtomicReference<>();

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
    private final Pacing pacing;
    private final Runnable onStartDue;
    private final PoolUpdate update;
    private final Duration callDeadline;
    private final InstantSource clock;

    /** @param onStartDue called when {@link #nextStart} may have become sooner: a lane is free, or the lock is ours */
    LeaderWork(Term term, Assembly assembly, FailedUpdates failed, HeldUpdates held, Runnable onStartDue) {
        this.term = term;
        this.lanes = assembly.lanes();
        Lock lock = lanes.single();
        this.single = lock == null ? null : new Lane(null, lock);
        this.clock = assembly.time();
        this.callDeadline = assembly.settings().callDeadline();
        this.resourceLock = assembly.resourceLock();
        this.hold = new SharedHold(resourceLock, term, clock);
        this.onStartDue = onStartDue;
        switch (assembly.settings().pace()) {
            case Pace.Tick tick -> {
                this.queue = new OperationQueue(clock, Duration.ZERO);
                this.pacing = new TickPacing(queue);
            }
            case Pace.Eager eager -> {
                this.queue = new OperationQueue(clock, eager.gather());
                this.pacing = new EagerPacing(eager, assembly, queue);
            }
        }
        Outcomes outcomes = new Outcomes(assembly, queue, pacing, failed);
        this.update = new PoolUpdate(assembly, this, hold, held, outcomes);
    }

    /**
     * Starts one tick and returns; load balancers that are still busy with an earlier one are left alone.
     *
     * @return completes when every lane that this tick started is free: it has done what later ticks gave it to do in
     *     the meantime, too
     */
    CompletableFuture<Void> tick() {
        Instant now = clock.instant();
        lanes().forEach(lane -> lane.interruptCall(now, callDeadline));
        pacing.letGo(group -> update.heldAsKnown(group).isPresent());
        pacing.shareQuota(!inHand.isEmpty(), now);
        List<CompletableFuture<Void>> runs = new ArrayList<>();
        for (Lane lane : lanesWithWork()) {
            pacing.tickBegins(lane, now);
            if (term.isCurrent() && pacing.hasNext(lane, now) && lane.tryStart()) {
                CompletableFuture<Void> free = new CompletableFuture<>();
                submit(lane, free);
                runs.add(free);
            }
        }
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new));
    }

    /** When a free lane has something to start, whatever the interval between ticks; empty for never. */
    Optional<Instant> nextStart() {
        if (!term.isCurrent()) {
            return Optional.empty();
        }
        return lanesWithWork().stream()
                .filter(lane -> !lane.isBusy())
                .flatMap(lane -> pacing.nextStart(lane).stream())
                .min(Comparator.naturalOrder());
    }

    /** Something changed that may make a guard let an update go. */
    void askGuardsAgain() {
        pacing.askGuardsAgain();
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
            leaveHold(lane);
            lane.end();
            free.completeExceptionally(e);
        }
    }

    private void runUntilFree(Lane lane, CompletableFuture<Void> free) {
        boolean goesOn;
        try {
            goesOn = run(lane);
        } catch (RuntimeException | Error e) {
            leaveHold(lane);
            lane.end();
            free.completeExceptionally(e);
            return;
        }
        if (!goesOn) {
            leaveHold(lane);
            goesOn = !lane.endUnlessCalled();
        }
        if (goesOn) {
            submit(lane, free);
        } else {
            onStartDue.run();
            free.complete(null);
        }
    }

    /** Returns whether there is more to do at once. */
    private boolean run(Lane lane) {
        lane.lock.lock();
        try {
            while (term.isCurrent() && pacing.hasNext(lane, clock.instant())) {
                if (!holds(lane)) {
                    return false;
                }
                noteAcquiredLock();
                Optional<OperationGroup> group = take(lane);
                if (group.isPresent()) {
                    update(group.get(), lane);
                    if (pacing.takesTurns() && lane.loadBalancer != null) {
                        return term.isCurrent() && pacing.hasNext(lane, clock.instant());
                    }
                }
            }
            return false;
        } finally {
            lane.lock.unlock();
        }
    }

    /** Whether the lane takes part in a hold of the resource lock under which a call may start. */
    private boolean holds(Lane lane) {
        if (lane.joined && hold.mayStart()) {
            return true;
        }
        leaveHold(lane);
        lane.joined = hold.join(() -> noteRefusedLock(lane));
        return lane.joined;
    }

    private void leaveHold(Lane lane) {
        if (lane.joined) {
            lane.joined = false;
            hold.leave();
        }
    }

    /** The lock is either left to others, by us, or held by another writer. */
    private void noteRefusedLock(Lane lane) {
        Optional<Instant> leftUntil = hold.leftToOthersUntil();
        if (leftUntil.isPresent()) {
            pacing.lockRefused(lane, leftUntil);
            return;
        }
        boolean isNew = lockRefusedSince.compareAndSet(null, clock.instant());
        logRefusedLock(isNew ? Level.INFO : Level.DEBUG);
        pacing.lockRefused(lane, resourceLock.holder().map(ResourceLock.Holder::until));
    }

    private void noteAcquiredLock() {
        Instant since = lockRefusedSince.getAndSet(null);
        if (since != null) {
            log.atInfo().addKeyValue("refusedSince", since).log("Resource lock acquired");
        }
        if (pacing.lockAcquired()) {
            onStartDue.run();
        }
    }

    private void logRefusedLock(Level level) {
        resourceLock
                .holder()
                .ifPresentOrElse(
                        holder -> log.atLevel(level)
                                .addKeyValue("holder", holder.identity())
                                .addKeyValue("until", holder.until())
                                .log("Resource lock held by another writer; asking again later"),
                        () -> log.atLevel(level).log("Resource lock not available; asking again later"));
    }

    private Optional<OperationGroup> take(Lane lane) {
        synchronized (inHand) {
            Optional<OperationGroup> group = pacing.next(lane, clock.instant()).flatMap(queue::take);
            group.ifPresent(taken -> inHand.put(taken.pool(), taken));
            return group;
        }
    }

    private void update(OperationGroup group, Lane lane) {
        try {
            update.run(group, lane);
        } finally {
            inHand.remove(group.pool());
        }
    }

    /** The pool of this group was read: what else came for it is taken up, where the pace says so. */
    OperationGroup takeUp(OperationGroup group) {
        synchronized (inHand) {
            OperationGroup taken = pacing.takeUp(group);
            inHand.put(taken.pool(), taken);
            return taken;
        }
    }

    /** Back as it is, with nothing counted against it or reported. */
    void keep(OperationGroup group) {
        queue.requeue(group.pool(), group.operations());
    }

    /** Back as it is, until what holds it lets it go. */
    void keepHeld(OperationGroup group, Held because) {
        keep(group);
        pacing.held(group.pool(), because);
    }

    /**
     * Back as it is, after a write of which a guard held a part back. That part waits for the guard; what came during
     * the write does not, unless it is held as well.
     */
    void keepRest(OperationGroup group, Held because) {
        keepHeld(group, because);
        pacing.letGo(group.pool(), waiting -> update.heldAsKnown(waiting).isPresent());
    }

    /** What holds this group back now; only looked at. */
    Optional<Held> held(OperationGroup group) {
        return update.heldAtALook(group);
    }

    /** Since when another writer holds the resource lock; empty if it did not when it was last asked for. */
    Optional<Instant> lockRefusedSince() {
        return Optional.ofNullable(lockRefusedSince.get());
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

    /** The operations for this pool in a lane's hands, and those that wait. */
    List<PendingOperation> pending(PoolKey pool) {
        synchronized (inHand) {
            List<PendingOperation> pending = new ArrayList<>(queue.waitingFor(pool));
            OperationGroup taken = inHand.get(pool);
            if (taken != null) {
                pending.addAll(taken.operations());
            }
            return pending;
        }
    }
}
