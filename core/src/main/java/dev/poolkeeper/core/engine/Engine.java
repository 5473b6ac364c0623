package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local service backend pool updater. A {@link ClusterView} reports the wanted addresses; the engine lists the load
 * balancers, queues updates, and applies them while this process is the leader. Its owner calls {@link #step} in a
 * loop.
 *
 * <ul>
 *   <li>Nothing is written until the view has synced and the load balancers have been listed in this term as leader. A
 *       listing that fails or is empty changes no pool.
 *   <li>Each term has its own queue and lanes. When a term ends, its unfinished operations are neither requeued nor
 *       reported, and it starts no further calls; the next term finds remaining differences by comparing all pools.
 *   <li>All pools are compared with the wanted addresses at regular intervals, so that pools whose retries were
 *       exhausted or that drifted are repaired without a cluster event.
 *   <li>Guards may hold updates, which is reported once on each Service.
 *   <li>{@link #status} gives the reason for each pool that differs from the wanted addresses.
 * </ul>
 *
 * <p>Thread-safe. Methods return immediately; {@link #step} does so if it was built with an executor of other threads.
 */
public final class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    static final String VIEW = "ClusterView";

    /** How often {@link #step} asks whether the view has synced. */
    private static final Duration SYNC_ASKED = Duration.ofMillis(50);

    private final Assembly assembly;
    private final Optional<ActiveGuards> guards;
    private final UnplacedNotices unplacedNotices;
    private final BooleanSupplier hasSynced;
    private final Listings listings;

    /** Guards what follows, and all that is known of the pools. Never held while an adapter or a listener is called. */
    private final Pools lock;

    /** The current term's work, and that of earlier terms with calls in progress. */
    private final List<LeaderWork> unfinished = new ArrayList<>();

    private final Steps steps;

    private volatile Runnable onWake = () -> {};
    private volatile @Nullable LeaderWork work;
    private volatile boolean shutdown;
    private volatile @Nullable Instant leadershipChanged;
    private volatile @Nullable Instant lastResync;
    private volatile @Nullable Instant pausedSince;

    Engine(Assembly assembly, BooleanSupplier hasSynced) {
        this.assembly = assembly;
        this.guards = assembly.guards();
        this.unplacedNotices = new UnplacedNotices(assembly.known(), assembly.facts());
        this.hasSynced = hasSynced;
        this.lock = assembly.known();
        this.listings = new Listings(assembly);
        this.steps = new Steps(assembly.settings().pace().interval(), lock);
    }

    /**
     * A builder for an engine.
     *
     * @param view the addresses that the cluster wants; it reports only to this engine from then on
     * @param pools reads and writes pools
     * @param directory lists the load balancers of this cluster
     * @param time the source of time and randomness; the engine uses its {@link Time#steady} clock. Adapters must be
     *     given the same object, because they exchange instants with the engine
     */
    public static EngineBuilder builder(ClusterView view, BackendPools pools, PoolDirectory directory, Time time) {
        return new EngineBuilder(view, pools, directory, time);
    }

    // --- leadership ---

    /**
     * Begins a term as leader, ended by {@link #stopLeading} or the next term. No effect if the term is over already,
     * or is the current one.
     */
    public void startLeading(Term term) {
        if (SafePorts.ask("Term", false, term::isCurrent)) { // asked before the lock is taken
            while (!isTakenUp(term)) {
                stopLeading();
            }
        }
    }

    /** Whether there is no other term in its way: then it begins, unless it is the current one, or none may begin. */
    private boolean isTakenUp(Term term) {
        synchronized (lock) {
            LeaderWork last = work;
            if (shutdown) {
                return true;
            }
            if (last != null) {
                return last.term == term;
            }
            leadershipChanged = now();
            lock.forgetWrites();
            lock.measureFreshness(true);
            LeaderWork begun = new LeaderWork(term, assembly, this::notFound, this::wake);
            forgetEndedTerms();
            unfinished.add(begun);
            work = begun;
        }
        askForListing();
        return true;
    }

    /** Ends the term: no further call starts, and nothing is requeued or reported. No effect outside a term. */
    public void stopLeading() {
        LeaderWork ended;
        synchronized (lock) {
            ended = work;
            if (ended == null) {
                return;
            }
            ended.term.end();
            ended.queue.end();
            work = null;
            lock.measureFreshness(false);
            leadershipChanged = now();
        }
        ended.leaveHold();
        guards.ifPresent(active -> active.brake.standBy());
    }

    /** {@link #stopLeading}, permanently. Calls in progress are allowed to finish. */
    public void shutdown() {
        synchronized (lock) { // no term begins from now on
            shutdown = true;
        }
        stopLeading();
    }

    /** {@link #shutdown}, and interrupts the calls in progress, of earlier terms too, and a listing. */
    public void shutdownNow() {
        shutdown();
        List<LeaderWork> terms;
        synchronized (lock) {
            terms = List.copyOf(unfinished);
        }
        terms.forEach(LeaderWork::interrupt);
        listings.interrupt();
    }

    // --- wanted addresses ---

    /** The listener for the view. A standby queues nothing, because it compares all pools when it becomes leader. */
    ClusterChanges changes() {
        return new Changes();
    }

    private final class Changes implements ClusterChanges {

        private final UpdateModel model = assembly.settings().model();

        /** Whether a step may be due because of what was reported since the view released its lock. */
        private volatile boolean due;

        @Override
        public void wants(@Nullable Want before, Want now) {
            assembly.known().wants(now);
            if (!now.seen()) {
                return;
            }
            LeaderWork current = work;
            if (current != null && model.wants(current.queue, before, now)) {
                startIsDue(current);
            }
        }

        @Override
        public void touched(ServiceName service, PoolKey pool) {
            LeaderWork current = work;
            if (assembly.known()
                            .change(pool, it -> it.withoutFailed(service))
                            .failed()
                            .contains(service)
                    && current != null) {
                model.touchedAfterFailure(current.queue, service, pool);
                startIsDue(current);
            }
        }

        @Override
        public void left(ServiceName service, PoolKey pool) {
            Wants others = assembly.known().left(service, pool);
            if (others.isEmpty()) { // a hold lasts if others share the pool: the next attempt finds out
                assembly.known().change(pool, it -> Holds.release(it).told(assembly.facts()));
            }
            LeaderWork current = work;
            if (current != null) {
                current.queue.remove(service, pool);
                for (Want other : others.all()) {
                    if (other.adopted()) { // what the Service left behind is to be removed
                        model.compared(current.queue, other);
                    }
                }
                startIsDue(current);
            }
        }

        @Override
        public void waiting() {
            due = true;
        }

        @Override
        public void eventEnded() {
            assembly.known().eventEnded();
        }

        @Override
        public void edited(ServiceName service) {
            listings.edited(service, now());
            due = true;
            LeaderWork current = work;
            if (current != null) {
                current.askGuardsAgain(); // the Service may have been unpaused
            }
        }

        @Override
        public void gone(ServiceName service) {
            listings.gone(service);
        }

        @Override
        public void released() {
            if (due) {
                due = false;
                wake();
            }
        }

        private void startIsDue(LeaderWork current) {
            current.askGuardsAgain();
            due = true;
        }
    }

    private void guardsChanged() {
        LeaderWork current = work;
        if (current != null) {
            current.askGuardsAgain();
            wake();
        }
    }

    // --- the one way to drive it ---

    /**
     * Starts what is due: gives up nodes that were missing for long enough, lists the load balancers, compares pools,
     * and starts updates. Calls to Azure are made on the executors that the engine was built with; if these run them in
     * the calling thread, a call of this method makes one listing or one update. Throws nothing, whatever throws,
     * except errors of the JVM such as {@link OutOfMemoryError}. While a call is in progress, in this thread or another
     * one, a second one returns at once, and {@link #onWake} tells when the first is over.
     *
     * @return when to call this method again at the latest: at most an interval from now
     */
    public Instant step() {
        Instant latest = now().plus(assembly.settings().pace().interval());
        if (!steps.begin()) {
            return latest;
        }
        try {
            assembly.facts().deliver(); // what watch threads appended
            return shutdown ? latest : startWhatIsDue();
        } catch (Throwable e) {
            SafePorts.throwIfFatal(e);
            log.atError().setCause(e).log("A step failed; the next one goes on");
            return latest;
        } finally {
            if (steps.end()) {
                wake();
            }
        }
    }

    /** @param task told, once until the next step, that {@link #step} should be called now; quick, from any thread */
    public void onWake(Runnable task) {
        requireNonNull(task, "task");
        onWake = () -> SafePorts.tell("onWake", task);
        steps.listens();
    }

    private void wake() {
        if (steps.wakes()) {
            onWake.run();
        }
    }

    private Instant startWhatIsDue() {
        SafePorts.tell(VIEW, view()::endWaits);
        boolean synced = hasSynced.getAsBoolean();
        if (synced && startsListing()) {
            return now(); // ticks are due after what a listing finds
        }
        Optional<Instant> start = nextStart();
        Instant now = now(); // after the start, which may be the present
        boolean endsInterval = steps.isTickDue(now);
        if (endsInterval || start.filter(at -> !at.isAfter(now)).isPresent()) {
            if (endsInterval) {
                steps.ticks(now);
            }
            CompletableFuture<Void> unused = assembly.ticks().observe(() -> tick(endsInterval));
        }
        Stream<Instant> listing =
                listings.isInProgress() ? Stream.empty() : Stream.of(synced ? nextListing() : now.plus(SYNC_ASKED));
        return Stream.of(listing, nextEndOfWaits().stream(), nextStart().stream(), Stream.of(steps.nextTick()))
                .flatMap(it -> it)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private Optional<Instant> nextEndOfWaits() {
        return SafePorts.ask(VIEW, Optional.empty(), view()::nextEnd);
    }

    private boolean startsListing() {
        if (now().isBefore(nextListing()) || !listings.begin()) {
            return false;
        }
        try {
            assembly.lister().execute(() -> {
                try {
                    listIfDue();
                } finally {
                    listings.end();
                    wake();
                }
            });
        } catch (RuntimeException | Error e) { // rejected by the executor, or it has no thread
            listings.end();
            notListed(Failure.Other.terminal("unexpected " + e), work);
        }
        return true;
    }

    // --- listings ---

    /** Requests that the load balancers be listed, and edited Services compared, as soon as possible. */
    public void askForListing() {
        listings.ask();
        wake();
    }

    private void notFound(List<ServiceName> services) {
        listings.notFound(services, now());
        wake();
    }

    /**
     * The number of Services that are compared after the next listing because they were edited, or their pool was not
     * found.
     */
    int editedServices() {
        return listings.editedServices();
    }

    /** When the next listing is due; may be in the past. */
    Instant nextListing() {
        LeaderWork current = work;
        Instant listing = listings.next();
        Instant comparison = current == null ? Instant.MAX : current.comparisons.due();
        return comparison.isBefore(listing) ? comparison : listing;
    }

    /**
     * Lists the load balancers if a listing is due and the view has synced, and applies the result. Throws nothing that
     * the directory or the view throws: the listing failed then.
     */
    void listIfDue() {
        Instant begun = now();
        if (shutdown || !hasSynced.getAsBoolean() || begun.isBefore(nextListing())) {
            return;
        }
        forgetEndedTerms();
        LeaderWork current = work;
        Set<ServiceName> toCompare = listings.takeEdited(begun);
        switch (listings.list(begun, () -> !shutdown)) {
            case Reply.Failed<List<BackendPool>>(Failure failure) -> {
                listings.restoreEdited();
                notListed(failure, current);
            }
            case Reply.Ok<List<BackendPool>>(List<BackendPool> pools) -> {
                try {
                    listed(pools, begun, current, toCompare);
                } catch (Throwable e) {
                    SafePorts.throwIfFatal(e);
                    log.atError().setCause(e).log("A listing could not be applied");
                    listings.restoreEdited();
                    notListed(Failure.Other.terminal("unexpected " + e), current);
                }
            }
        }
        assembly.facts().deliver();
    }

    /** Once its calls have ended, an earlier term's queue is of no use. */
    private void forgetEndedTerms() {
        synchronized (lock) {
            unfinished.removeIf(earlier -> earlier != work && !earlier.isBusy());
        }
    }

    private void notListed(Failure failure, @Nullable LeaderWork current) {
        listings.failed(failure, now());
        if (current != null) {
            current.comparisons.defer(listings.next());
        }
    }

    private void listed(
            List<BackendPool> pools, Instant begun, @Nullable LeaderWork current, Set<ServiceName> toCompare) {
        listings.answered(pools.size());
        assembly.known().listed(pools, begun);
        long mark = current == null ? 0 : current.queue.mark();
        view().locate(pools.stream().map(BackendPool::key).toList());
        Unplaced unplaced = SafePorts.ask(VIEW, Unplaced.NONE, view()::unplaced);
        Set<ServiceName> withoutPool = new HashSet<>(unplaced.withoutPool());
        if (current != null) {
            if (serves(current, unplaced, toCompare, mark)) {
                withoutPool.addAll(current.comparisons.notFound());
            } else {
                listings.restoreEdited();
            }
        }
        listings.succeeded(begun, withoutPool, now());
        guards.ifPresent(active -> refresh(active, current));
        guardsChanged();
    }

    /** A call of an ended term may have had the brake hold something after the term's end. */
    private static void refresh(ActiveGuards active, @Nullable LeaderWork current) {
        active.drift.forgetEnded();
        if (current == null) {
            active.brake.standBy();
        }
    }

    /** Whether the term has not ended meanwhile: then the Services may be told what was found. */
    private boolean serves(LeaderWork current, Unplaced unplaced, Set<ServiceName> toCompare, long mark) {
        synchronized (lock) {
            if (current != work) {
                return false;
            }
            if (!current.comparisons.haveBegun()) {
                steps.restart();
            }
            current.comparisons.listed(mark, toCompare::contains).ifPresent(at -> lastResync = at);
            unplacedNotices.report(unplaced);
            return true;
        }
    }

    // --- ticks ---

    /**
     * Starts one tick if this process is the leader, writes are not paused, and the load balancers have been listed; or
     * goes on with the last one, if it has not come to its end in the caller's thread.
     *
     * @param endsInterval whether an interval has ended, so that a tick begins
     * @return completes when every load balancer that the tick started is free; exceptionally after an internal error,
     *     which this method does not throw
     */
    CompletableFuture<Void> tick(boolean endsInterval) {
        LeaderWork current = work;
        if (current == null || !current.comparisons.haveBegun()) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return tick(current, endsInterval);
        } catch (Throwable e) {
            SafePorts.throwIfFatal(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> tick(LeaderWork current, boolean endsInterval) {
        boolean begins = endsInterval || !current.goesOn();
        if (begins) {
            guards.ifPresent(active -> active.brake.tickBegins());
        }
        if (isPaused()) {
            current.leaveHold();
            return CompletableFuture.completedFuture(null);
        }
        return begins ? current.tick(endsInterval) : current.goOn();
    }

    /**
     * With the eager pace, when a free load balancer has an update to start, or a held update may be released; empty if
     * the interval is enough.
     */
    Optional<Instant> nextStart() {
        LeaderWork current = work;
        return current == null || !current.comparisons.haveBegun() || (isPaused() && !current.goesOn())
                ? Optional.empty()
                : current.nextStart();
    }

    /** The earliest instant at which a tick has something to try; empty if nothing waits. */
    public Optional<Instant> nextEligibleAt() {
        LeaderWork current = work;
        return current == null ? Optional.empty() : current.queue.nextEligibleAt();
    }

    /** Whether ticks have an effect: this process is the leader and has listed the load balancers in this term. */
    public boolean isServing() {
        LeaderWork current = work;
        return current != null && current.comparisons.haveBegun() && current.isCurrent();
    }

    /** Whether the load balancers have been listed at least once. */
    public boolean hasListed() {
        return listings.last().isPresent();
    }

    // --- operators ---

    /** Pauses or resumes all writes. Changes are still queued during a pause. No effect without guards. */
    public void pause(boolean now) {
        guards.ifPresent(active -> {
            if (now != active.isPaused()) {
                pausedSince = now ? now() : null;
                log.atInfo().log(now ? "All writes are paused by the configuration" : "Writes are no longer paused");
            }
            active.pause(now);
        });
        guardsChanged();
    }

    private boolean isPaused() {
        return guards.map(ActiveGuards::isPaused).orElse(false);
    }

    /**
     * Approves the held removals with these ids, and no others; {@link SafetyBrake#ALL} approves those that are held
     * when it is passed for the first time. No effect without guards.
     */
    public void agreeToRemovals(Set<String> ids) {
        guards.ifPresent(active -> active.brake.agree(ids));
        guardsChanged();
    }

    /** Changes the share of all addresses that the safety brake lets go, 0 to 100. No effect without guards. */
    public void setBrakePercent(int percent) {
        guards.ifPresent(active -> active.brake.setPercent(percent));
        guardsChanged();
    }

    /**
     * How long pools have differed from the wanted addresses.
     *
     * @param at now, or earlier if nothing has changed since
     */
    public Freshness.Snapshot freshness(Instant at) {
        return assembly.known().freshness(at);
    }

    /** The state of the whole engine. Cost is proportional to the size of the cluster. */
    public EngineStatus status() {
        return report().engine(listings, nextListing());
    }

    /**
     * The status of the pools of these Services; a Service without a pool is left out. Like {@link #status} it visits
     * every pool, but builds plans, differences and texts only for these.
     */
    public List<PoolStatus> pools(Set<ServiceName> services) {
        return report().pools(lock.used()
                .filter(pool -> pool.wants().services().stream().anyMatch(services::contains)));
    }

    /**
     * The status of one pool, at a cost that does not depend on the others; also of one that was listed, or is being
     * updated, although no Service is local with it. Empty if nothing is known of it.
     */
    public Optional<PoolStatus> pool(PoolKey key) {
        return lock.find(key).map(report()::pool);
    }

    private StatusReport report() {
        StatusReport.Moments moments = new StatusReport.Moments(
                Optional.ofNullable(leadershipChanged),
                Optional.ofNullable(pausedSince),
                Optional.ofNullable(lastResync));
        return new StatusReport(assembly, work, moments);
    }

    private ClusterView view() {
        return assembly.view();
    }

    private Instant now() {
        return assembly.clock().instant();
    }
}
