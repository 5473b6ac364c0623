package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.queue.ParkedOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local service backend pool updater: applies the queued operations to the pools, a tick at a time.
 *
 * <p>Guarantees, beside those of the {@link OperationQueue}:
 *
 * <ul>
 *   <li>Locks are taken in one order: {@code serviceReconcileLock}, for a lane's whole turn; the resource lock, only if
 *       something may be tried; the queue's own lock, never across a call. If somebody else holds the resource lock,
 *       the queue stays as it is. It is given back after a minute at the latest, before others may have it.
 *   <li>A group of operations gets one read and at most one write a tick. Nothing read is carried over to the next.
 *   <li>Groups of one load balancer run one after another in the order of the queue. A load balancer that is still busy
 *       when the next tick comes is left alone, and holds up no other. Its turn comes as soon as it is free, one for
 *       all ticks that it missed.
 *   <li>An operation is tried at most {@code 1 + maxRetries} times and never before its {@code nextEligibleAt}.
 *   <li>Once {@link #shutdown} was called no call starts, and nothing is requeued or reported.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Retry Model</em> to <em>Retry Timing</em>.
 */
public final class BackendPoolUpdater {

    private static final Logger log = LoggerFactory.getLogger(BackendPoolUpdater.class);

    private final UpdaterSettings settings;
    private final OperationQueue queue;
    private final LocalServices services;
    private final Lanes lanes;
    private final Map<Lane, ParkedOperations> parked = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final Outcomes outcomes;
    private final SharedHold hold;
    private final GroupUpdate groupUpdate;
    private volatile boolean shutdown;

    /**
     * Serves all load balancers one after another, in the thread that ticks.
     *
     * @param settings how often is retried
     * @param queue where operations come from
     * @param services which Services are local, with which pool
     * @param ports what the updater speaks to
     * @param serviceReconcileLock held for the whole tick; shared with the embedder's own reconcile loop, if it has one
     * @param clock tells when parked operations may go
     */
    public BackendPoolUpdater(
            UpdaterSettings settings,
            OperationQueue queue,
            LocalServices services,
            UpdaterPorts ports,
            Lock serviceReconcileLock,
            InstantSource clock) {
        this(settings, queue, services, ports, Lanes.oneAfterAnother(serviceReconcileLock), clock);
    }

    /** @param lanes how load balancers are served */
    public BackendPoolUpdater(
            UpdaterSettings settings,
            OperationQueue queue,
            LocalServices services,
            UpdaterPorts ports,
            Lanes lanes,
            InstantSource clock) {
        this.settings = settings;
        this.queue = queue;
        this.services = services;
        this.lanes = lanes;
        this.clock = clock;
        this.outcomes = new Outcomes(settings, queue, services, ports);
        this.hold = new SharedHold(ports.resourceLock(), clock);
        this.groupUpdate = new GroupUpdate(queue, services, ports, clock, outcomes, hold, () -> shutdown);
    }

    /** One tick. Returns when every group that this tick could try has been tried. */
    public void process() {
        tick().join();
    }

    /**
     * Starts one tick and returns; load balancers that are still busy with an earlier one are left alone.
     *
     * @return completes when every lane that this tick started is free: it has made up for ticks that it missed
     *     meanwhile, too
     */
    public CompletableFuture<Void> tick() {
        Instant now = clock.instant();
        lanes.all().forEach(lane -> lane.interruptCall(now, settings.callDeadline()));
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        for (Lane lane : lanes.of(queue.loadBalancers())) {
            if (!shutdown && lane.tryStart()) {
                turns.add(start(lane));
            }
        }
        return CompletableFuture.allOf(turns.toArray(CompletableFuture<?>[]::new));
    }

    /** From now on nothing is sent, reported or requeued. A call under way goes on to its end. */
    public void shutdown() {
        shutdown = true;
    }

    /** As {@link #shutdown}, and interrupts the calls that are under way. */
    public void shutdownNow() {
        shutdown = true;
        lanes.all().forEach(lane -> lane.interruptCall(clock.instant(), Duration.ZERO));
    }

    private CompletableFuture<Void> start(Lane lane) {
        CompletableFuture<Void> free = new CompletableFuture<>();
        submitTurn(lane, free);
        return free;
    }

    /** Each turn waits in line for a thread: a busy lane does not keep one to itself. */
    private void submitTurn(Lane lane, CompletableFuture<Void> free) {
        try {
            lanes.executor().execute(() -> takeTurn(lane, free));
        } catch (RuntimeException e) { // refused by the executor
            lane.end();
            free.completeExceptionally(e);
        }
    }

    private void takeTurn(Lane lane, CompletableFuture<Void> free) {
        try {
            run(lane);
        } catch (RuntimeException | Error e) {
            lane.end();
            free.completeExceptionally(e);
            return;
        }
        if (lane.startMissedOrEnd()) {
            submitTurn(lane, free);
        } else {
            free.complete(null);
        }
    }

    private void run(Lane lane) {
        lane.lock.lock();
        try {
            dropStaleAmongParked(lane);
            if (shutdown || !queue.hasDue(lane.loadBalancer, clock.instant())) {
                return;
            }
            if (!hold.join()) {
                log.atInfo().log("The resource lock is not to be had, operations wait for the next tick");
                return;
            }
            try {
                update(queue.drainDue(lane.loadBalancer, clock.instant()), lane);
            } finally {
                hold.leave();
            }
        } finally {
            lane.lock.unlock();
        }
    }

    private void update(List<OperationGroup> groups, Lane lane) {
        int taken = 0;
        try {
            for (OperationGroup group : groups) {
                taken++;
                groupUpdate.run(group, lane);
            }
        } finally { // if one failed that must not, the others are not lost
            if (!shutdown) {
                groups.subList(taken, groups.size()).forEach(group -> queue.requeue(group.pool(), group.operations()));
            }
        }
    }

    /**
     * What is parked stays in the queue, but not for a Service that is gone: it would hold up the rest of its group.
     */
    private void dropStaleAmongParked(Lane lane) {
        parked.computeIfAbsent(lane, key -> new ParkedOperations(queue, services, key.loadBalancer))
                .dropStale(clock.instant());
    }
}
