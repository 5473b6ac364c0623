package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The work of one term as leader: its queue, its lanes, and its hold of the resource lock. Each term starts with new
 * ones, so nothing from an ended term is requeued, reported or sent.
 *
 * <ul>
 *   <li>Locks are acquired in this order: {@code serviceReconcileLock}, for one update and free after it; the resource
 *       lock, only if there is an update to try; that of the pools, never held across a call. If another writer holds
 *       the resource lock, the queue stays as it is.
 *   <li>A group of operations gets one read and at most one write. Nothing read is reused for the next group.
 *   <li>Groups of one load balancer run one after another. A load balancer that is still busy at the next tick does not
 *       delay others; it starts the updates of that tick as soon as it is free.
 *   <li>An operation is tried at most {@code 1 + maxRetries} times and never before its {@code nextEligibleAt}.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Retry Model</em> to <em>Retry Timing</em>.
 */
final class LeaderWork {

    private static final Logger log = LoggerFactory.getLogger(LeaderWork.class);

    final Term term;

    final OperationQueue queue;

    final Comparisons comparisons;

    /** Whether due updates may have to wait because the quota is nearly exhausted. */
    boolean isShortOfQuota() {
        return pacing.isShortOfQuota();
    }

    /** See {@link Pacing#shutUntil}. */
    Optional<Instant> shutUntil(ArmName loadBalancer) {
        return pacing.shutUntil(loadBalancer);
    }

    /** When another writer was first seen holding the resource lock; null if none is known to hold it. */
    private final AtomicReference<@Nullable Instant> lockRefusedSince = new AtomicReference<>();

    private final Facts facts;
    private final Executor executor;
    private final Function<ArmName, Lock> locks;
    private final @Nullable Lane single;
    private final Map<ArmName, Lane> byLoadBalancer = new ConcurrentHashMap<>();

    private final SharedLock hold;
    private final Pacing pacing;
    private final Runnable onStartDue;
    private final PoolUpdate update;
    private final Duration callDeadline;
    private final InstantSource clock;

    /** Whether something changed that may release an update which a guard holds. */
    private volatile boolean mayBeReleased;

    /** Whether an update was made in the caller's thread, and more are due: {@link #goOn} makes the next one. */
    private volatile boolean goesOn;

    /**
     * @param onNotFound receives the Services whose pool was not found when it was to be updated
     * @param onStartDue called when {@link #nextStart} may have become sooner: a lane became free or the lock was
     *     acquired
     */
    LeaderWork(Term term, Assembly assembly, Consumer<List<ServiceName>> onNotFound, Runnable onStartDue) {
        this.term = term;
        this.facts = assembly.facts();
        this.executor = assembly.executor();
        this.locks = assembly.lanes().each();
        Lock lock = assembly.lanes().single();
        this.single = lock == null ? null : new Lane(null, lock);
        this.clock = assembly.clock();
        this.callDeadline = assembly.settings().callDeadline();
        this.hold = new SharedLock(assembly.ports().resourceLock(), term, clock);
        this.onStartDue = onStartDue;
        Pace pace = assembly.settings().pace();
        this.queue = new OperationQueue(assembly.known(), clock, pace.gather());
        this.pacing = switch (pace) {
            case Pace.Tick tick -> new TickPacing(queue, clock);
            case Pace.Eager eager -> new EagerPacing(eager, assembly, queue);
        };
        this.comparisons = new Comparisons(assembly, queue);
        this.update = new PoolUpdate(assembly, term, hold, queue, pacing, onNotFound);
    }

    /** Whether something may start. */
    boolean isCurrent() {
        return SafePorts.ask("Term", false, term::isCurrent);
    }

    /**
     * Begins a tick: evaluates what guards hold, and starts what free load balancers may start. If the executor runs
     * this in the caller's thread, it makes one update; {@link #goOn} makes the others.
     *
     * @param endsInterval whether an interval has ended: what is due then is assigned to the lanes, busy ones too
     * @return completes when every lane that this tick started is free again, including work that later ticks added in
     *     the meantime
     */
    CompletableFuture<Void> tick(boolean endsInterval) {
        Instant now = clock.instant();
        lanes().forEach(lane -> lane.calls.interrupt(now, callDeadline));
        mayBeReleased = false;
        update.releaseUnlessHeld();
        pacing.shareQuota(queue.isAnyTaken(), now);
        if (!queue.hasDue(null, now)) {
            lockRefusedSince.set(null); // nothing waits for the lock, so nothing finds out whether it is still held
        }
        if (endsInterval) {
            lanesWithWork().forEach(lane -> pacing.tickBegins(lane, now));
        }
        return goOn();
    }

    /** Whether {@link #goOn} has something to do. */
    boolean goesOn() {
        return goesOn;
    }

    /** Goes on with the last tick. If nothing is left of it, the resource lock is left to others. */
    CompletableFuture<Void> goOn() {
        boolean ranHere = false;
        List<CompletableFuture<Void>> runs = new ArrayList<>();
        for (Lane lane : inOrder()) {
            if (!ranHere && lane.tryStart()) { // one update a call in this thread
                CompletableFuture<Void> free = new CompletableFuture<>();
                ranHere = submit(lane, free);
                runs.add(free);
            }
        }
        goesOn = ranHere && lanesWithWork().stream().anyMatch(this::hasNext);
        if (!goesOn) {
            leaveHold();
        }
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new));
    }

    /** The lanes that have an update to start. */
    private List<Lane> inOrder() {
        record Start(Lane lane, long place) {} // other threads may change the place in the meantime
        return lanesWithWork().stream()
                .filter(this::hasNext)
                .map(lane -> new Start(lane, pacing.place(lane)))
                .sorted(Comparator.comparingLong(Start::place))
                .map(Start::lane)
                .toList();
    }

    /**
     * Leaves the resource lock to others. Lanes whose updates are made in the caller's thread keep it between two of
     * them, so that a tick acquires it once.
     */
    void leaveHold() {
        goesOn = false;
        for (Lane lane : lanes()) {
            if (!lane.isBusy() && lane.tryStart()) {
                leaveHold(lane);
                lane.end();
            }
        }
    }

    /** When a free lane has an update to start, regardless of the tick interval; empty for never. */
    Optional<Instant> nextStart() {
        if (goesOn) {
            return Optional.of(clock.instant());
        }
        if (!isCurrent()) {
            return Optional.empty();
        }
        return lanesWithWork().stream()
                .filter(lane -> !lane.isBusy())
                .flatMap(lane -> nextStart(lane).stream())
                .min(Comparator.naturalOrder());
    }

    private Optional<Instant> nextStart(Lane lane) {
        return mayBeReleased && queue.isAnyHeldByGuard() ? Optional.of(clock.instant()) : pacing.nextStart(lane);
    }

    /** The next tick re-evaluates the guards after a change that may release an update. */
    void askGuardsAgain() {
        mayBeReleased = true;
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
                        .flatMap(name -> lane(name).stream())
                        .toList();
    }

    /** Empty while the embedder has no lock for it: its updates wait, and those of others go on. */
    private Optional<Lane> lane(ArmName name) {
        return SafePorts.ask(
                "serviceReconcileLocks",
                Optional.empty(),
                () -> Optional.of(byLoadBalancer.computeIfAbsent(
                        name, key -> new Lane(key, requireNonNull(locks.apply(key), "a lock")))));
    }

    /** Interrupts the calls in progress. Call this after the term has ended. */
    void interrupt() {
        lanes().forEach(lane -> lane.calls.interrupt(clock.instant(), Duration.ZERO));
    }

    /** Whether a call may be in progress. */
    boolean isBusy() {
        return lanes().stream().anyMatch(Lane::isBusy);
    }

    /**
     * Submits each update separately, so that a busy lane does not occupy a thread. Returns whether the executor ran it
     * in this thread.
     */
    private boolean submit(Lane lane, CompletableFuture<Void> free) {
        try {
            return lane.submit(executor, inCaller -> run(lane, free, inCaller));
        } catch (RuntimeException | Error e) { // rejected by the executor, or it has no thread
            leaveHold(lane);
            lane.end();
            free.completeExceptionally(e);
            return false;
        }
    }

    /** @param inCaller whether this is the thread that called {@link #goOn}, which makes no further update */
    private void run(Lane lane, CompletableFuture<Void> free, boolean inCaller) {
        boolean runsAgain;
        try {
            runsAgain = run(lane);
        } catch (RuntimeException | Error e) {
            leaveHold(lane);
            lane.end();
            free.completeExceptionally(e);
            return;
        }
        if (inCaller) {
            lane.turns++;
            lane.end();
            free.complete(null);
            return;
        }
        if (!runsAgain) {
            leaveHold(lane);
            runsAgain = !lane.releaseUnlessRequested();
        }
        if (runsAgain) {
            submit(lane, free);
        } else {
            onStartDue.run();
            free.complete(null);
        }
    }

    /** Makes one update; {@code serviceReconcileLock} is free for others after it. Whether there is more to do now. */
    private boolean run(Lane lane) {
        After after = runLocked(lane);
        while (after == After.OTHERS_MAY_START) {
            onStartDue.run();
            after = runLocked(lane);
        }
        return after == After.MORE;
    }

    /** What there is to do when {@code serviceReconcileLock} is free again. */
    private enum After {
        NOTHING,
        MORE,

        /** The resource lock was acquired, which other lanes wait for; no update was made. */
        OTHERS_MAY_START
    }

    private After runLocked(Lane lane) {
        lane.lock.lock();
        try {
            if (!hasNext(lane) || !holds(lane)) {
                return After.NOTHING;
            }
            if (isNewlyAcquired()) {
                return After.OTHERS_MAY_START;
            }
            take(lane).ifPresent(group -> update(group, lane));
            return hasNext(lane) ? After.MORE : After.NOTHING;
        } finally {
            lane.lock.unlock();
            facts.deliver();
        }
    }

    /** Whether the lane has joined a hold of the resource lock under which a call may start. */
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

    /** Records that the lock is held by another writer, or that we leave it free for others or are about to. */
    private void noteRefusedLock(Lane lane) {
        Optional<Instant> leftUntil = hold.leftToOthersUntil();
        if (leftUntil.isPresent() || hold.isOurs()) {
            pacing.lockRefused(lane, leftUntil);
            return;
        }
        boolean isNew = lockRefusedSince.compareAndSet(null, clock.instant());
        logRefusedLock(isNew ? Level.INFO : Level.DEBUG);
        pacing.lockRefused(lane, hold.holder().map(ResourceLock.Holder::until));
    }

    /** Whether other lanes wait for the resource lock, which this process has now. */
    private boolean isNewlyAcquired() {
        Instant since = lockRefusedSince.getAndSet(null);
        if (since != null) {
            log.atInfo().addKeyValue("refusedSince", since).log("Resource lock acquired");
        }
        return pacing.lockAcquired();
    }

    private void logRefusedLock(Level level) {
        hold.holder()
                .ifPresentOrElse(
                        holder -> log.atLevel(level)
                                .addKeyValue("holder", holder.identity())
                                .addKeyValue("until", holder.until())
                                .log("Resource lock held by another writer; asking again later"),
                        () -> log.atLevel(level).log("Resource lock not available; asking again later"));
    }

    private boolean hasNext(Lane lane) {
        return isCurrent() && pacing.hasNext(lane, clock.instant());
    }

    private Optional<OperationGroup> take(Lane lane) {
        return pacing.next(lane, clock.instant()).flatMap(queue::take);
    }

    private void update(OperationGroup group, Lane lane) {
        try {
            update.run(group, lane);
        } catch (RuntimeException | Error e) { // nothing that waits may be lost
            update.requeue(group.pool());
            throw e;
        } finally {
            queue.finish(group.pool());
        }
    }

    /** The other writer that holds the resource lock, if it is known. */
    Optional<ResourceLock.Holder> lockHolder() {
        return hold.holder();
    }

    /**
     * Since when updates have waited for the resource lock, which another writer holds; empty if the last attempt to
     * acquire it succeeded, or no update waits for it.
     */
    Optional<Instant> lockRefusedSince() {
        return Optional.ofNullable(lockRefusedSince.get());
    }
}
