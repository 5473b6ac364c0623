package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.State;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Builds the status of a pool and finds the reason for its difference. */
final class PoolReport {

    private final Assembly assembly;
    private final @Nullable LeaderWork work;
    private final Optional<Instant> leadershipChanged;
    private final Optional<Instant> pausedSince;

    /**
     * @param work null if this process is not the leader
     * @param leadershipChanged when leadership was last gained or lost; empty if this process never led
     * @param pausedSince since when all writes are paused; empty if they are not
     */
    PoolReport(
            Assembly assembly,
            @Nullable LeaderWork work,
            Optional<Instant> leadershipChanged,
            Optional<Instant> pausedSince) {
        this.assembly = assembly;
        this.work = work;
        this.leadershipChanged = leadershipChanged;
        this.pausedSince = pausedSince;
    }

    PoolStatus pool(Pool pool) {
        Wants wants = pool.wants();
        AddressSet wanted = wants.union();
        Optional<OperationGroup> group = pool.group();
        boolean agrees = pool.known().filter(it -> it.surely(wanted::equals)).isPresent();
        return new PoolStatus(
                wants.all().get(0).pool(),
                wants.services(),
                wanted,
                wants.all().stream().allMatch(Want::adopted),
                pool.known(),
                group.map(PoolReport::attempts).orElse(0),
                agrees && group.isEmpty() ? Optional.empty() : Optional.of(difference(pool)),
                pool.known().map(it -> it.inDoubt().union(leaving(pool))).orElse(AddressSet.empty()));
    }

    /** What a lane has taken may be tried without what waits behind it; operations that wait are tried together. */
    private AddressSet leaving(Pool pool) {
        List<PendingOperation> pending = pool.backlog().pending();
        if (pending.isEmpty()) {
            return AddressSet.empty();
        }
        UpdateModel model = assembly.settings().model();
        AddressSet together =
                model.plan(pool, new OperationGroup(pool.key(), pending)).removals();
        OperationGroup inHand = pool.backlog().inHand();
        return inHand == null
                ? together
                : together.union(model.plan(pool, inHand).removals());
    }

    private static int attempts(OperationGroup group) {
        return group.operations().stream()
                .mapToInt(PendingOperation::retryCount)
                .max()
                .orElse(0);
    }

    private Difference difference(Pool pool) {
        LeaderWork leading = work;
        if (leading == null) {
            return new Difference(Why.Plain.NOT_LEADING, leadershipChanged, Optional.empty());
        }
        if (!leading.comparisons.haveBegun()) {
            return new Difference(Why.Plain.NOT_LISTED, leadershipChanged, Optional.empty());
        }
        return switch (pool.state()) {
            case State.InHand(OperationGroup group) -> waiting(Why.Plain.IN_PROGRESS, group);
            case State.Waiting(OperationGroup group) -> queued(leading, pool, group);
            case State.GaveUp gaveUp -> gaveUp(pool);
            case State.Idle idle -> notQueued(pool);
        };
    }

    private Optional<Instant> nextResync() {
        return Optional.ofNullable(work).flatMap(leading -> leading.comparisons.next());
    }

    private Difference gaveUp(Pool pool) {
        return new Difference(
                new Why.GaveUp(failure(pool)),
                pool.known().map(KnownPool::lastCall).map(KnownPool.LastCall::at),
                nextResync());
    }

    private Difference notQueued(Pool pool) {
        Optional<KnownPool> known = pool.known();
        Wants wants = pool.wants();
        boolean holdsMore = known.filter(it -> it.surely(wants::agrees)).isPresent();
        if (holdsMore || !wants.isReported()) { // then no comparison changes it, whatever state it is in
            return new Difference(Why.Plain.INCOMPLETE, Optional.empty(), Optional.empty());
        }
        return new Difference(
                new Why.NotCompared(
                        failure(pool),
                        known.map(KnownPool::provisioning),
                        known.filter(PoolReport::isChangedByAnother).isPresent()),
                known.map(KnownPool::at),
                nextResync());
    }

    private static boolean isChangedByAnother(KnownPool known) {
        AddressSet landed = known.landed();
        return landed != null && !landed.equals(known.addresses());
    }

    private Difference queued(LeaderWork leading, Pool pool, OperationGroup group) {
        Optional<HeldUpdate> because = held(pool, group);
        if (because.isPresent()) {
            Held hold = because.get().because();
            return new Difference(
                    new Why.OnHold(hold), Optional.of(because.get().since()), hold.until());
        }
        Optional<Instant> parkedUntil = parkedUntil(group);
        if (parkedUntil.isPresent()) {
            return new Difference(new Why.Parked(failure(pool)), Optional.of(group.since()), parkedUntil);
        }
        if (leading.isShortOfQuota()) { // then the lock may not have been requested for long
            return waiting(Why.Plain.SHORT_OF_QUOTA, group);
        }
        Optional<Instant> lockRefusedSince = leading.lockRefusedSince();
        if (lockRefusedSince.isPresent()) {
            Optional<ResourceLock.Holder> holder = leading.lockHolder();
            return new Difference(new Why.LockHeld(holder), lockRefusedSince, holder.map(ResourceLock.Holder::until));
        }
        Optional<Failure> last = failure(pool).filter(failure -> group.isRetry());
        return waiting(last.<Why>map(Why.Retrying::new).orElse(Why.Plain.QUEUED), group);
    }

    /** Why it was held when it was last tried may be over: the guards are asked again. */
    private Optional<HeldUpdate> held(Pool pool, OperationGroup group) {
        if (pausedSince.isPresent()) {
            return pausedSince.map(since -> new HeldUpdate(Pauses.ALL_PAUSED, since));
        }
        return assembly.guards()
                .flatMap(active -> active.wouldHold(pool, group))
                .map(because -> new HeldUpdate(
                        because,
                        pool.hold()
                                .filter(before -> before.because().by() == because.by())
                                .map(HeldUpdate::since)
                                .orElse(group.since())))
                .or(() -> pool.hold()
                        .filter(before -> before.because().by() == Held.By.RETRY_BUDGET && isOverBudget(group)));
    }

    private boolean isOverBudget(OperationGroup group) {
        OptionalLong left = SafePorts.ask(
                "RetryBudget", OptionalLong.empty(), assembly.ports().budget()::balance);
        return group.isRetry() && left.orElse(1) == 0;
    }

    private Optional<Instant> parkedUntil(OperationGroup group) {
        Instant now = assembly.clock().instant();
        return group.operations().stream()
                .map(PendingOperation::nextEligibleAt)
                .filter(Objects::nonNull)
                .max(Comparator.<Instant>naturalOrder())
                .filter(now::isBefore);
    }

    /** Why the last call failed; empty if it did not, although an earlier attempt may have. */
    private static Optional<Failure> failure(Pool pool) {
        return pool.known().map(KnownPool::lastCall).flatMap(KnownPool.LastCall::failure);
    }

    private static Difference waiting(Why why, OperationGroup group) {
        return new Difference(why, Optional.of(group.since()), Optional.empty());
    }
}
