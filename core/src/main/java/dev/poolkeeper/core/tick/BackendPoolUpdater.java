package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.merge.MergeRule;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryScope;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local service backend pool updater: applies the queued operations to the pools, a tick at a time.
 *
 * <p>Guarantees, beside those of the {@link OperationQueue}:
 *
 * <ul>
 *   <li>Locks are taken in one order: {@code serviceReconcileLock}, for the whole tick; the resource lock, only if
 *       something is queued; the queue's own lock, never across a call. If somebody else holds the resource lock, the
 *       queue stays as it is.
 *   <li>A group of operations gets one read and at most one write a tick. Nothing read is carried over to the next.
 *   <li>An operation is tried at most {@code 1 + maxRetries} times and never before its {@code nextEligibleAt}.
 *   <li>Once {@link #shutdown} was called no call starts, and nothing is requeued or reported.
 * </ul>
 *
 * <p>{@link #process} may be called from any thread; ticks wait for each other on {@code serviceReconcileLock}. Source:
 * design document, <em>Retry Model</em> to <em>Retry Timing</em>.
 */
public final class BackendPoolUpdater {

    private static final Logger log = LoggerFactory.getLogger(BackendPoolUpdater.class);

    private final OperationQueue queue;
    private final LocalServices services;
    private final UpdaterPorts ports;
    private final Lock serviceReconcileLock;
    private final InstantSource clock;
    private final Outcomes outcomes;
    private volatile boolean shutdown;

    /**
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
        this.queue = queue;
        this.services = services;
        this.ports = ports;
        this.serviceReconcileLock = serviceReconcileLock;
        this.clock = clock;
        this.outcomes = new Outcomes(settings, queue, services, ports);
    }

    /** One tick. Returns when every group that could be tried has been. */
    public void process() {
        serviceReconcileLock.lock();
        try {
            if (shutdown || queue.isEmpty()) {
                return;
            }
            Optional<ResourceLock.Hold> hold = ports.resourceLock().tryAcquire();
            if (hold.isEmpty()) {
                log.atInfo().log("Somebody else holds the resource lock, operations wait for the next tick");
                return;
            }
            try (ResourceLock.Hold held = hold.get()) {
                for (OperationGroup group : queue.drain()) {
                    process(group, held);
                }
            }
        } finally {
            serviceReconcileLock.unlock();
        }
    }

    /** From now on nothing is sent, reported or requeued. A call under way is the caller's to interrupt. */
    public void shutdown() {
        shutdown = true;
    }

    private void process(OperationGroup drained, ResourceLock.Hold held) {
        Optional<OperationGroup> relevant = relevant(drained);
        if (relevant.isEmpty() || shutdown) {
            return;
        }
        OperationGroup group = relevant.get();
        Instant now = clock.instant();
        if (group.isParked(now) || !held.isHeld() || !isWithinBudget(group)) {
            queue.requeue(group.pool(), group.operations());
            return;
        }
        if (group.isRetry()) {
            RetryScope.run(() -> send(group, held));
        } else {
            send(group, held);
        }
    }

    private void send(OperationGroup group, ResourceLock.Hold held) {
        Reply<BackendPool> read = call(() -> ports.pools().read(group.pool()));
        if (shutdown) {
            return;
        }
        switch (read) {
            case Reply.Failed<BackendPool>(Failure failure) -> outcomes.failed(group, failure, clock.instant());
            case Reply.Ok<BackendPool>(BackendPool pool) -> apply(group, pool, held);
        }
    }

    private void apply(OperationGroup group, BackendPool pool, ResourceLock.Hold held) {
        Optional<OperationGroup> relevant = relevant(group);
        if (relevant.isEmpty()) {
            return;
        }
        AddressSet folded = MergeRule.fold(pool.addresses(), relevant.get().operations(), services);
        if (folded.equals(pool.addresses())) {
            outcomes.unchanged(relevant.get());
            return;
        }
        if (!held.isHeld()) {
            queue.requeue(group.pool(), relevant.get().operations());
            return;
        }
        Reply<BackendPool> written = call(() -> ports.pools().write(pool, folded));
        if (shutdown) {
            return;
        }
        switch (written) {
            case Reply.Failed<BackendPool>(Failure failure) ->
                outcomes.failed(relevant.get(), failure, clock.instant());
            case Reply.Ok<BackendPool> ok -> outcomes.updated(relevant.get());
        }
    }

    /** An adapter that throws breaks its promise; the operations must not be lost for it. */
    private static Reply<BackendPool> call(Supplier<Reply<BackendPool>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("A call threw instead of answering");
            return Reply.failed(Failure.Other.terminal("unexpected " + e));
        }
    }

    /** A refused group waits as it does while somebody else holds the lock: nothing is counted against it. */
    private boolean isWithinBudget(OperationGroup group) {
        if (!group.isRetry()) {
            ports.budget().deposit();
            return true;
        }
        boolean admitted = ports.budget().tryWithdraw();
        if (!admitted) {
            ports.metrics().retryRefused(group.pool());
        }
        return admitted;
    }

    /** The group without the operations of Services that are not local any more or have another pool now. */
    private Optional<OperationGroup> relevant(OperationGroup group) {
        List<PendingOperation> relevant = outcomes.relevant(group.operations());
        return relevant.isEmpty() ? Optional.empty() : Optional.of(new OperationGroup(group.pool(), relevant));
    }
}
