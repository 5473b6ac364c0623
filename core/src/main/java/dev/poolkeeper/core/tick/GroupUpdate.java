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
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One group's turn: read, fold, write if changed, outcome. Between any two steps the world may have moved on. */
final class GroupUpdate {

    private static final Logger log = LoggerFactory.getLogger(GroupUpdate.class);

    private final OperationQueue queue;
    private final LocalServices services;
    private final UpdaterPorts ports;
    private final InstantSource clock;
    private final Outcomes outcomes;
    private final SharedHold hold;
    private final BooleanSupplier shutdown;

    GroupUpdate(
            OperationQueue queue,
            LocalServices services,
            UpdaterPorts ports,
            InstantSource clock,
            Outcomes outcomes,
            SharedHold hold,
            BooleanSupplier shutdown) {
        this.queue = queue;
        this.services = services;
        this.ports = ports;
        this.clock = clock;
        this.outcomes = outcomes;
        this.hold = hold;
        this.shutdown = shutdown;
    }

    void run(OperationGroup drained, Lane lane) {
        Optional<OperationGroup> relevant = relevant(drained);
        if (relevant.isEmpty() || shutdown.getAsBoolean()) {
            return;
        }
        OperationGroup group = relevant.get();
        if (!hold.mayStart() || !ports.guard().admits(group) || !isWithinBudget(group)) {
            keep(group);
            return;
        }
        try {
            if (group.isRetry()) {
                RetryScope.run(() -> read(group, lane));
            } else {
                read(group, lane);
            }
        } finally {
            ports.metrics().turnEnded(group.pool());
        }
    }

    private void read(OperationGroup group, Lane lane) {
        Reply<BackendPool> read = call(lane, () -> ports.pools().read(group.pool()));
        if (shutdown.getAsBoolean()) {
            return;
        }
        switch (read) {
            case Reply.Failed<BackendPool>(Failure failure) -> outcomes.failed(group, failure, clock.instant());
            case Reply.Ok<BackendPool>(BackendPool pool) -> relevant(group).ifPresent(rest -> apply(rest, pool, lane));
        }
    }

    private void apply(OperationGroup group, BackendPool pool, Lane lane) {
        AddressSet folded = MergeRule.fold(pool.addresses(), group.operations(), services);
        if (folded.equals(pool.addresses())) {
            outcomes.unchanged(group);
            return;
        }
        AddressSet allowed = ports.guard().restrain(group, pool, folded);
        if (allowed.equals(pool.addresses()) || !hold.mayStart()) {
            keep(group);
        } else {
            write(group, pool, allowed, lane, allowed.equals(folded));
        }
    }

    /** @param whole whether nothing is left to be done once these addresses are written */
    private void write(OperationGroup group, BackendPool pool, AddressSet addresses, Lane lane, boolean whole) {
        Reply<BackendPool> written = call(lane, () -> ports.pools().write(pool, addresses));
        if (shutdown.getAsBoolean()) {
            return;
        }
        switch (written) {
            case Reply.Failed<BackendPool>(Failure failure) -> outcomes.failed(group, failure, clock.instant());
            case Reply.Ok<BackendPool> ok when whole -> outcomes.updated(group);
            case Reply.Ok<BackendPool> ok -> keep(group);
        }
    }

    /** As it is, for the next tick: nothing is counted against it, nobody is told. */
    private void keep(OperationGroup group) {
        queue.requeue(group.pool(), group.operations());
    }

    /** An adapter that throws breaks its promise; the operations must not be lost for it. */
    private Reply<BackendPool> call(Lane lane, Supplier<Reply<BackendPool>> call) {
        try {
            return lane.call(clock.instant(), shutdown, call);
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
