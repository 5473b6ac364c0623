package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the status of each pool and finds the reason for every difference. */
final class StatusReport {

    private static final Comparator<PoolStatus> BY_POOL = Comparator.comparing(
                    (PoolStatus status) -> status.pool().loadBalancer())
            .thenComparing(status -> status.pool().pool());

    private final Assembly assembly;
    private final Function<OperationGroup, Optional<HeldUpdate>> held;
    private final @Nullable LeaderWork work;
    private final Moments moments;

    /**
     * Times that concern all pools.
     *
     * @param leadershipChanged when leadership was last gained or lost; empty if this process never led
     * @param nextResync when all pools are compared next; empty for never
     */
    record Moments(Optional<Instant> leadershipChanged, Optional<Instant> nextResync) {}

    /**
     * @param held finds why a pool's update is held
     * @param work null if this process is not the leader
     */
    StatusReport(
            Assembly assembly,
            Function<OperationGroup, Optional<HeldUpdate>> held,
            @Nullable LeaderWork work,
            Moments moments) {
        this.assembly = assembly;
        this.held = held;
        this.work = work;
        this.moments = moments;
    }

    /** @param used what is wanted in each pool */
    List<PoolStatus> pools(Map<PoolKey, Wants> used) {
        return used.entrySet().stream()
                .map(entry -> pool(entry.getKey(), entry.getValue()))
                .sorted(BY_POOL)
                .toList();
    }

    private PoolStatus pool(PoolKey pool, Wants wants) {
        AddressSet wanted = wants.union();
        Optional<KnownPool> known = assembly.known().find(pool);
        LeaderWork leading = work;
        Optional<OperationGroup> group = leading == null ? Optional.empty() : leading.queue.group(pool);
        boolean agrees = known.filter(it -> it.surely(wanted::equals)).isPresent();
        return new PoolStatus(
                pool,
                wants.services(),
                wanted,
                wants.all().stream().allMatch(Want::adopted),
                known,
                group.map(StatusReport::attempts).orElse(0),
                agrees && group.isEmpty() ? Optional.empty() : Optional.of(difference(pool, wants, group)),
                known.map(it -> leaving(it, leading)).orElse(AddressSet.empty()));
    }

    /** What a lane has taken may be tried without what waits behind it; operations that wait are tried together. */
    private AddressSet leaving(KnownPool known, @Nullable LeaderWork leading) {
        if (leading == null) {
            return known.inDoubt();
        }
        List<PendingOperation> taken = leading.queue.taken(known.pool());
        return known.inDoubt().union(removed(known, taken)).union(removed(known, leading.queue.pending(known.pool())));
    }

    private AddressSet removed(KnownPool known, List<PendingOperation> operations) {
        AddressSet held = known.addresses();
        return operations.isEmpty() ? AddressSet.empty() : held.minus(assembly.plan(held, operations));
    }

    private static int attempts(OperationGroup group) {
        return group.operations().stream()
                .mapToInt(PendingOperation::retryCount)
                .max()
                .orElse(0);
    }

    private Difference difference(PoolKey pool, Wants wants, Optional<OperationGroup> group) {
        LeaderWork leading = work;
        if (leading == null) {
            return new Difference(
                    Difference.Reason.NOT_LEADING,
                    moments.leadershipChanged(),
                    Optional.empty(),
                    "This replica is not the leader.",
                    "The leader updates the pool; its status shows what the pool waits for.");
        }
        if (!leading.listed) {
            return new Difference(
                    Difference.Reason.NOT_LISTED,
                    moments.leadershipChanged(),
                    Optional.empty(),
                    "The load balancers have not been listed since this replica became the leader.",
                    "They are listed before anything is written; if that fails, the listing shows the cause.");
        }
        return group.map(waiting -> queued(leading, waiting)).orElseGet(() -> notQueued(pool, wants));
    }

    private Difference notQueued(PoolKey pool, Wants wants) {
        Optional<KnownPool> known = assembly.known().find(pool);
        if (wants.services().stream().anyMatch(service -> assembly.known().hasFailed(service, pool))) {
            return new Difference(
                    Difference.Reason.FAILED,
                    known.map(KnownPool::lastCall).map(KnownPool.LastCall::at),
                    moments.nextResync(),
                    lastFailure(pool) + ".",
                    "The next EndpointSlice event or comparison retries it; restart or scale a backing pod to cause"
                            + " one.");
        }
        return known.filter(it -> it.surely(wants::agrees)).isPresent() ? incomplete() : notCompared(pool, known);
    }

    /** It holds what is wanted so far, and more. */
    private static Difference incomplete() {
        return new Difference(
                Difference.Reason.INCOMPLETE,
                Optional.empty(),
                Optional.empty(),
                "The wanted set is not complete: an EndpointSlice or a node it references has not been seen yet."
                        + " Nothing is removed before.",
                "A node that stays missing is given up after a minute; compare the nodes in the Service's"
                        + " EndpointSlices with those of the cluster.");
    }

    private Difference notCompared(PoolKey pool, Optional<KnownPool> known) {
        return new Difference(
                Difference.Reason.NOT_COMPARED,
                known.map(KnownPool::at),
                moments.nextResync(),
                failure(pool).isPresent()
                        ? lastFailure(pool) + "."
                        : known.filter(it -> it.provisioning() != ProvisioningState.SUCCEEDED)
                                        .isPresent()
                                ? "The pool's provisioningState is %s, so its contents may not be in force."
                                        .formatted(known.get().provisioning())
                                : known.filter(StatusReport::isChangedByAnother).isPresent()
                                        ? "The pool was changed by another writer."
                                        : "The pool differs from the wanted addresses, and no update is queued for it.",
                failure(pool).isPresent()
                        ? "The next comparison queues it if the pool exists by then; otherwise it waits for the pool."
                        : "The next comparison queues it; ensure that only one controller manages this pool.");
    }

    private static boolean isChangedByAnother(KnownPool known) {
        AddressSet landed = known.landed();
        return landed != null && !landed.equals(known.addresses());
    }

    private Difference queued(LeaderWork leading, OperationGroup group) {
        PoolKey pool = group.pool();
        if (leading.queue.isTaken(pool)) {
            return waiting(
                    Difference.Reason.IN_PROGRESS,
                    group,
                    "An update is in progress, or other pools of its load balancer are updated first.",
                    "No action is needed.");
        }
        Optional<HeldUpdate> because = held.apply(group);
        if (because.isPresent()) {
            Held held = because.get().because();
            return new Difference(
                    Difference.Reason.HELD,
                    Optional.of(because.get().since()),
                    held.until(),
                    held.text(),
                    held.remedy());
        }
        Optional<Instant> parkedUntil = parkedUntil(group);
        if (parkedUntil.isPresent()) {
            return new Difference(
                    Difference.Reason.PARKED,
                    Optional.of(group.since()),
                    parkedUntil,
                    wasNotSent(pool)
                            ? "No request was sent: Azure is throttling, or the client-side rate limit is exhausted."
                            : lastFailure(pool) + "; Azure asked to wait.",
                    "It is retried when the wait ends; if this persists, find out what else writes to the load"
                            + " balancer or uses the subscription's quota.");
        }
        if (leading.isShortOfQuota()) { // then the lock may not have been requested for long
            return waiting(
                    Difference.Reason.QUEUED,
                    group,
                    "The remaining Azure quota is low: outages are written first, other pools one at a time.",
                    "No action is needed; if this persists, find out what else uses the subscription's quota.");
        }
        Optional<Instant> lockRefusedSince = leading.lockRefusedSince();
        if (lockRefusedSince.isPresent()) {
            return lockHeld(lockRefusedSince);
        }
        return group.isRetry() && failure(pool).isPresent()
                ? waiting(
                        Difference.Reason.RETRYING,
                        group,
                        lastFailure(pool) + ".",
                        "It is retried on the next update of its load balancer.")
                : waiting(
                        Difference.Reason.QUEUED,
                        group,
                        "The pool waits for the next update of its load balancer.",
                        "No action is needed.");
    }

    private Optional<Instant> parkedUntil(OperationGroup group) {
        Instant now = assembly.time().instant();
        return group.operations().stream()
                .map(PendingOperation::nextEligibleAt)
                .filter(Objects::nonNull)
                .max(Comparator.<Instant>naturalOrder())
                .filter(now::isBefore);
    }

    private Difference lockHeld(Optional<Instant> since) {
        Optional<ResourceLock.Holder> holder = assembly.resourceLock().holder();
        return new Difference(
                Difference.Reason.LOCK_HELD,
                since,
                holder.map(ResourceLock.Holder::until),
                holder.map(it -> "The resource lock is held by %s.".formatted(it.identity()))
                        .orElse("The resource lock is not available."),
                "It is requested until it is free; if its holder is gone, it becomes free when its Lease expires.");
    }

    private String lastFailure(PoolKey pool) {
        return failure(pool)
                .map(failure -> "The last attempt failed: " + failure.describe())
                .orElse("The last attempt failed");
    }

    /** Why the last call failed; empty if it did not, although an earlier attempt may have. */
    private Optional<Failure> failure(PoolKey pool) {
        return assembly.known().find(pool).map(KnownPool::lastCall).flatMap(KnownPool.LastCall::failure);
    }

    private boolean wasNotSent(PoolKey pool) {
        return failure(pool).stream()
                .anyMatch(failure -> failure instanceof Failure.Throttled throttled && !throttled.sent());
    }

    private static Difference waiting(Difference.Reason reason, OperationGroup group, String text, String remedy) {
        return new Difference(reason, Optional.of(group.since()), Optional.empty(), text, remedy);
    }
}
