package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import java.util.List;
import java.util.function.Predicate;

/** Compares pools that were just listed with what is wanted in them, and with what waits in the queue of a term. */
final class Comparison {

    private final Pools pools;
    private final UpdateModel model;
    private final OperationQueue queue;

    Comparison(Pools pools, UpdateModel model, OperationQueue queue) {
        this.pools = pools;
        this.model = model;
        this.queue = queue;
    }

    /**
     * Drops updates of pools that this listing located and that already hold the wanted addresses.
     *
     * @param mark the {@link OperationQueue#mark} before the listing was applied
     */
    void dropUpToDate(long mark) {
        for (PoolKey key : queue.queuedSince(mark)) {
            queue.change(
                    key,
                    pool -> isUpToDate(pool)
                            ? pool.withBacklog(it -> it.without(pending -> pending.sequence() >= mark))
                            : pool);
        }
    }

    private boolean isUpToDate(Pool pool) {
        return pool.backlog().inHand() == null
                && isKnownToHold(pool, held -> willHold(pool, pool.backlog().waiting(), held::equals));
    }

    /**
     * The contents of a pool are unknown while one of our writes is in progress, possibly from an earlier term, and
     * after one with an unknown outcome.
     */
    private static boolean isKnownToHold(Pool pool, Predicate<AddressSet> wanted) {
        return pool.known()
                .filter(known -> !known.writing() && known.surely(wanted))
                .isPresent();
    }

    /**
     * Compares the pools just listed with the wanted addresses and queues those that differ: pools whose retries were
     * exhausted, that another writer changed, or that changed while no replica was leading; also pools that an ended
     * term is still writing, because the outcome of that write will not be reported. Skips pools that will hold the
     * wanted addresses after the update that its term has queued or begun, except for Services that share the pool and
     * have none: the update of one Service adds nothing for another, unless both want it when it is made, and that of a
     * paused one does nothing. A Service without a reported set is local with a pool in which nothing is queued for it.
     *
     * @param those the pools to compare
     * @return the number of pools that differ
     */
    int queueDifferences(List<Pool> used, Predicate<Pool> those) {
        int queued = 0;
        for (Pool pool : used) {
            if (pool.wants().isReported() && those.test(pool)) {
                queued += queueDifferences(pool.key()) ? 1 : 0;
            }
        }
        return queued;
    }

    /** Whether it was last seen without an address that is wanted in it by a Service whose update was not given up. */
    static boolean lacks(Pool pool) {
        return pool.known()
                .filter(known -> pool.wants().all().stream()
                        .filter(want -> !pool.failed().contains(want.service()))
                        .anyMatch(
                                want -> !want.wanted().minus(known.addresses()).isEmpty()))
                .isPresent();
    }

    /** Compared and queued at once: what a Service wants from then on is queued behind it. */
    private boolean queueDifferences(PoolKey key) {
        synchronized (pools) {
            List<Want> differing = differing(pools.get(key));
            differing.forEach(want -> model.compared(queue, want));
            return !differing.isEmpty();
        }
    }

    /** The wants that no update provides for although the pool differs. */
    private List<Want> differing(Pool pool) {
        Wants wants = pool.wants();
        List<Want> reported = wants.all().stream().filter(Want::isReported).toList();
        List<PendingOperation> pending = pool.backlog().pending();
        if (pending.isEmpty()) {
            return isKnownToHold(pool, wants::agrees) || isBusyHolding(pool) ? List.of() : reported;
        }
        List<PendingOperation> going = pending.stream()
                .filter(it -> !wants.isPaused(it.operation().service()) || it.operation() instanceof Operation.Remove)
                .toList(); // what a paused Service removes itself is no other writer's
        if (!willHold(pool, pending, wants::agrees) || !willHold(pool, going, wants::agreesUnlessPaused)) {
            return reported;
        }
        return willHold(pool, List.of(), wants::agreesUnlessPaused)
                ? List.of()
                : reported.stream()
                        .filter(want -> !want.paused() && !isQueued(pending, want))
                        .toList();
    }

    /** Whether the pool will hold what is wanted after these operations. */
    private boolean willHold(Pool pool, List<PendingOperation> operations, Predicate<AddressSet> wanted) {
        return pool.known()
                .map(KnownPool::addresses)
                .map(held -> operations.isEmpty() ? held : model.plan(held, operations, pool.wants()))
                .filter(wanted)
                .isPresent();
    }

    private static boolean isQueued(List<PendingOperation> pending, Want want) {
        return pending.stream()
                .anyMatch(operation -> operation.operation().service().equals(want.service()));
    }

    /**
     * Whether the pool holds the wanted addresses and another writer's operation on it is in progress: an update could
     * only wait for it. If it ends badly, the next comparison finds it.
     */
    private static boolean isBusyHolding(Pool pool) {
        return pool.known()
                .filter(known -> known.provisioning() == ProvisioningState.UPDATING
                        && !known.writing()
                        && known.attempted() == null
                        && pool.wants().agrees(known.addresses()))
                .isPresent();
    }
}
