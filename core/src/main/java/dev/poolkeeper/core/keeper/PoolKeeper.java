package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.PoolLocations;
import dev.poolkeeper.core.endpoints.Survey;
import dev.poolkeeper.core.endpoints.Survey.AmbiguousPool;
import dev.poolkeeper.core.guard.DriftFights;
import dev.poolkeeper.core.guard.EmptyPools;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers;
import dev.poolkeeper.core.guard.Guards;
import dev.poolkeeper.core.guard.Hold;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.known.ObservedPools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole updater as an engine: told of the cluster through {@link #cluster}, it lists the load balancers
 * ({@link #turn}), queues what is to be done, and does it ({@link #tick}) while this process leads.
 *
 * <ul>
 *   <li>Nothing is written before the whole cluster was told of and the load balancers were listed in this term as
 *       leader. A listing that fails, or holds no pool, changes no pool.
 *   <li>Each term has an updater of its own. When a term ends, what its updater has at hand is neither requeued nor
 *       reported, and no call of it starts; what it missed the next term finds by comparison.
 *   <li>Regularly all pools are compared with what is wanted, so that what exhausted its retries, or was changed by
 *       somebody else, heals without an event of the cluster.
 *   <li>Updates are held back on purpose by the classes of {@code core.guard}; Services are told of it once.
 * </ul>
 *
 * <p>Thread-safe. {@link #turn} blocks for a listing and is for one thread; everything else returns at once.
 */
public final class PoolKeeper {

    private static final Logger log = LoggerFactory.getLogger(PoolKeeper.class);

    private final KeeperSettings settings;
    private final KeeperPorts ports;
    private final InstantSource clock;
    private final DoubleSupplier draw;
    private final KnownPools known = new KnownPools();
    private final OperationQueue queue;
    private final LeadersQueue leadersQueue;
    private final EndpointIndex index;
    private final ClusterFeed feed;
    private final Comparison comparison;
    private final PoolStatuses statuses;
    private final HoldNotices notices;
    private final SafetyBrake brake;
    private final ForbiddenLoadBalancers forbidden;
    private final DriftFights fights;
    private final UpdaterPorts updaterPorts;
    private final ListingTimes listings;

    private volatile Runnable onAsked = () -> {};
    private volatile boolean paused;
    private volatile @Nullable Term term;
    private volatile boolean shutdown;
    private volatile Instant resyncDue = Instant.MAX;
    private volatile @Nullable Instant leadershipChanged;
    private volatile @Nullable Instant lastListing;
    private volatile @Nullable Failure listingFailure;
    private volatile @Nullable Instant lastResync;
    private volatile @Nullable Instant lastTick;

    /** A time as leader. */
    private static final class Term {
        final BackendPoolUpdater updater;
        volatile boolean listed;

        Term(BackendPoolUpdater updater) {
            this.updater = updater;
        }
    }

    /** @param draw numbers from 0 (inclusive) to 1 (exclusive), for jitter */
    public PoolKeeper(KeeperSettings settings, KeeperPorts ports, InstantSource clock, DoubleSupplier draw) {
        this.settings = settings;
        this.ports = ports;
        this.clock = clock;
        this.draw = draw;
        this.queue = new OperationQueue(settings.model());
        this.leadersQueue = new LeadersQueue(new ChangeQueuer(queue), known);
        this.index = new EndpointIndex(leadersQueue);
        leadersQueue.serve(index);
        this.listings = new ListingTimes(settings.directoryRefresh(), settings.waits());
        this.feed = new ClusterFeed(index, service -> askForListing());
        this.comparison = new Comparison(index, queue, known);
        this.statuses = new PoolStatuses(queue, known);
        UpdaterPorts given = ports.updater();
        this.notices = new HoldNotices(given.events());
        this.brake = new SafetyBrake(settings.brake(), known, queue, index, this::allAddresses, notices, clock);
        this.forbidden = new ForbiddenLoadBalancers(settings.forbiddenWaits(), notices, clock);
        this.fights = new DriftFights(settings.drift(), known, notices, clock);
        this.updaterPorts = new UpdaterPorts(
                new ObservedPools(given.pools(), known, List.of(forbidden), clock),
                new LeadersLock(given.resourceLock(), ports.isLeader()),
                given.events(),
                given.metrics(),
                given.budget(),
                new Guards(
                        given.guard(),
                        new Pauses(() -> paused, feed::isPaused),
                        forbidden,
                        fights,
                        new EmptyPools(index),
                        brake));
    }

    /** Where the cluster is told of. */
    public ClusterListener cluster() {
        return feed;
    }

    /** The name of the node that has this address, if one does: new entries of a pool are named after it. */
    public Optional<String> nodeName(IpAddress address) {
        return index.nodeName(address);
    }

    /** @param task called whenever {@link #nextTurn} may have become sooner; quick, from any thread */
    public void onAsked(Runnable task) {
        onAsked = task;
    }

    /** Begins a term as leader; it ends with {@link #stopLeading}. Without effect during one. */
    public synchronized void startLeading() {
        if (term != null || shutdown) {
            return;
        }
        queue.drain();
        leadersQueue.lead(true);
        leadershipChanged = clock.instant();
        resyncDue = Instant.MIN;
        term = new Term(new BackendPoolUpdater(
                settings.updater(), queue, index, updaterPorts, ports.lanes().get(), clock));
        askForListing();
    }

    /** Ends the term: no call starts any more, nothing is requeued or reported. Without effect outside of one. */
    public synchronized void stopLeading() {
        Term ended = term;
        if (ended != null) {
            ended.updater.shutdown();
            term = null;
            leadersQueue.lead(false);
            leadershipChanged = clock.instant();
            resyncDue = Instant.MAX;
            queue.drain();
        }
    }

    /** {@link #stopLeading}, for good. Calls that are under way go on to their ends. */
    public synchronized void shutdown() {
        shutdown = true;
        stopLeading();
    }

    /** Pauses all writes, or lets them go on. Meanwhile changes are queued as ever. */
    public void pause(boolean now) {
        paused = now;
    }

    /** The operator agrees to the braked removal of this id; null for none. */
    public void agreeToRemoval(@Nullable String id) {
        brake.agree(id);
    }

    /** The load balancers are listed, and changed Services compared, at the next turn. */
    public void askForListing() {
        listings.ask();
        onAsked.run();
    }

    /** When {@link #turn} has something to do; may be in the past. */
    public Instant nextTurn() {
        Instant listing = listings.next();
        return resyncDue.isBefore(listing) ? resyncDue : listing;
    }

    /** Lists the load balancers if it is time and the whole cluster was told of, and takes what they say. */
    public void turn() {
        Instant begun = clock.instant();
        if (shutdown
                || !ports.hasSynced().getAsBoolean()
                || begun.isBefore(listings.next()) && begun.isBefore(resyncDue)) {
            return;
        }
        Term current = term;
        listings.begins(begun);
        switch (ports.directory().list()) {
            case Reply.Failed<List<BackendPool>>(Failure failure) -> {
                listings.failed(clock.instant());
                if (!begun.isBefore(resyncDue)) {
                    resyncDue = listings.next();
                }
                listingFailure = failure;
                log.atWarn()
                        .addKeyValue("failure", failure.describe())
                        .addKeyValue("nextListing", listings.next())
                        .log("The load balancers could not be listed");
            }
            case Reply.Ok<List<BackendPool>>(List<BackendPool> pools) -> listed(pools, begun, current);
        }
    }

    private void listed(List<BackendPool> pools, Instant begun, @Nullable Term current) {
        listingFailure = null;
        known.listed(pools, begun);
        leadersQueue.afterListing(() -> index.locationsChanged(
                PoolLocations.of(pools.stream().map(BackendPool::key).toList())));
        Survey survey = index.survey();
        listings.succeeded(clock.instant(), survey.withoutPool());
        lastListing = begun;
        Set<ServiceName> changed = feed.takeChanged();
        if (current != null && current == term) {
            if (begun.isBefore(resyncDue)) {
                comparison.queueWhatDiffers(survey, changed::contains);
            } else {
                resync(survey);
            }
            current.listed = true;
            warnOfAmbiguity(survey.ambiguous());
        }
        fights.settle();
    }

    private void resync(Survey survey) {
        int queued = comparison.queueWhatDiffers(survey, service -> true);
        Instant now = clock.instant();
        lastResync = now;
        resyncDue = settings.resync().isZero() ? Instant.MAX : now.plus(jittered(settings.resync()));
        log.atInfo().addKeyValue("queued", queued).log("All pools were compared with what is wanted");
    }

    private Duration jittered(Duration interval) {
        return Duration.ofNanos((long) (interval.toNanos() * (0.9 + 0.2 * draw.getAsDouble())));
    }

    private void warnOfAmbiguity(List<AmbiguousPool> ambiguous) {
        notices.retain(
                Hold.AMBIGUOUS, ambiguous.stream().map(AmbiguousPool::service).collect(Collectors.toSet()));
        for (AmbiguousPool pool : ambiguous) {
            notices.tell(
                    pool.service(),
                    pool.places().get(0),
                    Hold.AMBIGUOUS,
                    ("Backend pool %s is not written: several load balancers have one of that name (%s). Remove all but"
                                    + " one, or configure which load balancers are this cluster's.")
                            .formatted(
                                    pool.pool(),
                                    pool.places().stream()
                                            .map(PoolKey::toString)
                                            .collect(Collectors.joining(", "))));
        }
    }

    /**
     * Starts one tick, if this process leads, is not paused, and knows the pools.
     *
     * @return completes when every load balancer that the tick began to serve is done
     */
    public CompletableFuture<Void> tick() {
        Term current = term;
        if (current == null || !current.listed || paused) {
            return CompletableFuture.completedFuture(null);
        }
        brake.tickStarts();
        return current.updater.tick().thenRun(() -> lastTick = clock.instant());
    }

    /** How many addresses the pools of local Services hold together, as far as is known. */
    private long allAddresses() {
        return index.survey().wants().stream()
                .map(Survey.Want::pool)
                .distinct()
                .flatMap(pool -> known.find(pool).stream())
                .mapToLong(pool -> pool.addresses().size())
                .sum();
    }

    /** Whether ticks do something: this process leads, and the load balancers were listed since it does. */
    public boolean isServing() {
        Term current = term;
        return current != null && current.listed;
    }

    /** The queue, for whoever counts what waits. */
    public OperationQueue queue() {
        return queue;
    }

    /** Whether the load balancers were listed at least once. */
    public boolean hasListed() {
        return lastListing != null;
    }

    /** How everything is doing. Costs in proportion to the cluster. */
    public KeeperStatus status() {
        Survey survey = index.survey();
        return new KeeperStatus(
                term != null,
                Optional.ofNullable(leadershipChanged),
                paused,
                Optional.ofNullable(lastListing),
                Optional.ofNullable(listingFailure),
                nextTurn(),
                Optional.ofNullable(lastResync),
                Optional.of(resyncDue).filter(due -> !due.equals(Instant.MAX) && !due.equals(Instant.MIN)),
                Optional.ofNullable(lastTick),
                queue.size(),
                brake.braked(),
                forbidden.leftAlone(),
                fights.fights(),
                feed.paused(),
                survey.withoutPool(),
                survey.ambiguous(),
                statuses.of(survey));
    }
}
