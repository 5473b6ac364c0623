package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Survey;
import dev.poolkeeper.core.guard.Held;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts together what is known of each pool, and finds the reason of every difference. */
final class StatusReport {

    private static final Comparator<PoolStatus> BY_POOL = Comparator.comparing(
                    (PoolStatus status) -> status.pool().loadBalancer())
            .thenComparing(status -> status.pool().pool());

    private final Assembly assembly;
    private final FailedUpdates failed;
    private final Function<PoolKey, Optional<Held>> held;
    private final @Nullable LeaderWork work;
    private final Optional<Instant> nextResync;

    /**
     * @param held why a pool's update is held back
     * @param work null where this process does not lead
     */
    StatusReport(
            Assembly assembly,
            FailedUpdates failed,
            Function<PoolKey, Optional<Held>> held,
            @Nullable LeaderWork work,
            Optional<Instant> nextResync) {
        this.assembly = assembly;
        this.failed = failed;
        this.held = held;
        this.work = work;
        this.nextResync = nextResync;
    }

    List<PoolStatus> pools(Survey survey) {
        return survey.wantsByPool().values().stream()
                .map(this::pool)
                .sorted(BY_POOL)
                .toList();
    }

    private PoolStatus pool(List<Survey.Want> wants) {
        PoolKey pool = wants.get(0).pool();
        AddressSet wanted = Survey.union(wants);
        Optional<KnownPool> known = assembly.known().find(pool);
        LeaderWork leading = work;
        Optional<OperationGroup> group = leading == null ? Optional.empty() : leading.group(pool);
        boolean agrees = known.filter(it -> it.addresses().equals(wanted)).isPresent();
        return new PoolStatus(
                pool,
                wants.stream().map(Survey.Want::service).sorted().toList(),
                wanted,
                wants.stream().allMatch(Survey.Want::adopted),
                known,
                group.map(StatusReport::attempts).orElse(0),
                agrees && group.isEmpty() ? Optional.empty() : Optional.of(difference(pool, wants, group)));
    }

    private static int attempts(OperationGroup group) {
        return group.operations().stream()
                .mapToInt(PendingOperation::retryCount)
                .max()
                .orElse(0);
    }

    private Difference difference(PoolKey pool, List<Survey.Want> wants, Optional<OperationGroup> group) {
        LeaderWork leading = work;
        if (leading == null) {
            return waiting(Difference.Reason.NOT_LEADING, "This replica does not lead; the leader updates the pool.");
        }
        if (!leading.listed) {
            return waiting(
                    Difference.Reason.NOT_LISTED,
                    "The load balancers are listed before anything is written; see the listing for its next try.");
        }
        if (group.isPresent()) {
            return queued(leading, pool, group.get());
        }
        if (wants.stream().noneMatch(Survey.Want::adopted)) {
            return waiting(
                    Difference.Reason.INCOMPLETE,
                    "The wanted set is not complete: an EndpointSlice, or a node that one names, was not seen yet.");
        }
        if (wants.stream().anyMatch(want -> failed.contains(want.service(), pool))) {
            return new Difference(
                    Difference.Reason.FAILED,
                    nextResync,
                    "The update failed; the next EndpointSlice event or comparison tries again.");
        }
        return new Difference(
                Difference.Reason.NOT_COMPARED,
                nextResync,
                "The pool was changed by another writer; the next comparison queues it.");
    }

    private Difference queued(LeaderWork leading, PoolKey pool, OperationGroup group) {
        if (leading.isInHand(pool)) {
            return waiting(
                    Difference.Reason.IN_PROGRESS, "A call is in progress, or others of its load balancer are first.");
        }
        Optional<Held> because = held.apply(pool);
        if (because.isPresent()) {
            return new Difference(
                    Difference.Reason.HELD, because.get().until(), because.get().text());
        }
        Instant now = assembly.time().instant();
        Optional<Instant> parkedUntil = group.operations().stream()
                .map(PendingOperation::nextEligibleAt)
                .filter(Objects::nonNull)
                .max(Comparator.<Instant>naturalOrder())
                .filter(now::isBefore);
        if (parkedUntil.isPresent()) {
            return new Difference(
                    Difference.Reason.PARKED, parkedUntil, lastFailure(pool) + "; Azure said when to come back.");
        }
        if (leading.lockWasRefused()) {
            Optional<ResourceLock.Holder> holder = assembly.resourceLock().holder();
            return new Difference(
                    Difference.Reason.LOCK_HELD,
                    holder.map(ResourceLock.Holder::until),
                    "The resource lock is held by %s; the next tick asks for it again."
                            .formatted(holder.map(ResourceLock.Holder::identity).orElse("another writer")));
        }
        return group.isRetry()
                ? waiting(Difference.Reason.RETRYING, lastFailure(pool) + "; the next tick retries it.")
                : waiting(Difference.Reason.QUEUED, "The next tick updates the pool.");
    }

    private String lastFailure(PoolKey pool) {
        return assembly.known()
                .find(pool)
                .map(KnownPool::lastCall)
                .flatMap(KnownPool.LastCall::failure)
                .map(failure -> "The last attempt failed: " + failure.describe())
                .orElse("The last attempt failed");
    }

    private static Difference waiting(Difference.Reason reason, String text) {
        return new Difference(reason, Optional.empty(), text);
    }
}
