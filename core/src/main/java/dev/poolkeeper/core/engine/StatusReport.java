package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Unplaced;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the status of the engine and of its pools, and finds the reason for each difference. */
final class StatusReport {

    private final Assembly assembly;
    private final @Nullable LeaderWork work;
    private final Moments moments;

    /**
     * Times that concern all pools; empty for never.
     *
     * @param leadershipChanged when leadership was last gained or lost
     * @param pausedSince since when all writes are paused
     * @param lastResync when all pools were last compared
     */
    record Moments(Optional<Instant> leadershipChanged, Optional<Instant> pausedSince, Optional<Instant> lastResync) {}

    /** @param work null if this process is not the leader */
    StatusReport(Assembly assembly, @Nullable LeaderWork work, Moments moments) {
        this.assembly = assembly;
        this.work = work;
        this.moments = moments;
    }

    EngineStatus engine(Listings listings, Instant nextListing) {
        Unplaced unplaced = SafePorts.ask(Engine.VIEW, Unplaced.NONE, assembly.view()::unplaced);
        Instant now = assembly.clock().instant();
        return new EngineStatus(
                now,
                work != null,
                moments.leadershipChanged(),
                new EngineStatus.Listing(
                        listings.last(),
                        listings.failure(),
                        nextListing.isBefore(now) ? now : nextListing,
                        moments.lastResync(),
                        nextResync(),
                        unplaced.withoutPool(),
                        unplaced.ambiguous(),
                        unplaced.clashes()),
                work(now),
                assembly.guards().map(ActiveGuards::status).orElse(EngineStatus.Holds.NONE),
                assembly.freshness().snapshot(now),
                pools(assembly.known().used()));
    }

    private EngineStatus.Work work(Instant now) {
        LeaderWork current = work;
        if (current == null) {
            return new EngineStatus.Work(0, 0, Optional.empty(), Optional.empty());
        }
        List<OperationGroup> parked = current.queue.parked(now);
        return new EngineStatus.Work(
                current.queue.size(),
                parked.size(),
                current.queue.nextEligibleAt().filter(now::isBefore),
                parked.stream()
                        .flatMap(group -> group.nextEligibleAt().stream())
                        .max(Comparator.naturalOrder()));
    }

    /** @param used with Services, in order of their keys */
    List<PoolStatus> pools(Stream<Pool> used) {
        return used.map(this::pool).toList();
    }

    PoolStatus pool(Pool pool) {
        Wants wants = pool.wants();
        AddressSet wanted = wants.union();
        Optional<OperationGroup> group = pool.group();
        boolean agrees = wants.isEmpty()
                || pool.known().filter(it -> it.surely(wanted::equals)).isPresent();
        return new PoolStatus(
                pool.key(),
                wants.services(),
                wanted,
                wants.all().stream().allMatch(Want::adopted),
                pool.known(),
                group.map(OperationGroup::retryCount).orElse(0),
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

    private Difference difference(Pool pool) {
        LeaderWork leading = work;
        if (leading == null) {
            return new Difference(Why.Plain.NOT_LEADING, moments.leadershipChanged(), Optional.empty());
        }
        if (!leading.comparisons.haveBegun()) {
            return new Difference(Why.Plain.NOT_LISTED, moments.leadershipChanged(), Optional.empty());
        }
        return switch (pool.state()) {
            case State.InHand(OperationGroup group) -> waiting(Why.Plain.IN_PROGRESS, group);
            case State.Waiting(OperationGroup group) -> queued(leading, pool, group);
            case State.GaveUp(Failure failure, Instant since) ->
                new Difference(new Why.GaveUp(failure), Optional.of(since), nextResync());
            case State.Idle idle -> notQueued(pool);
        };
    }

    private Optional<Instant> nextResync() {
        return Optional.ofNullable(work).flatMap(leading -> leading.comparisons.next());
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
                        known.filter(StatusReport::isChangedByAnother).isPresent()),
                known.map(KnownPool::at),
                nextResync());
    }

    private static boolean isChangedByAnother(KnownPool known) {
        AddressSet landed = known.landed();
        return landed != null && !landed.equals(known.addresses());
    }

    private Difference queued(LeaderWork leading, Pool pool, OperationGroup group) {
        Instant now = assembly.clock().instant();
        Optional<Instant> waitsUntil = leading.queue.waitsUntil(pool, now);
        Optional<HeldUpdate> because = held(pool, group);
        if (because.isPresent()) {
            Held hold = because.get().because();
            return new Difference(
                    new Why.OnHold(hold),
                    Optional.of(because.get().since()),
                    hold.by() == Held.By.RETRY_BUDGET ? waitsUntil : hold.until());
        }
        Optional<Instant> parkedUntil = group.nextEligibleAt().filter(now::isBefore);
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
        return new Difference(
                last.<Why>map(Why.Retrying::new).orElse(Why.Plain.QUEUED), Optional.of(group.since()), waitsUntil);
    }

    /** Why it was held when it was last tried may be over: the guards are asked again. */
    private Optional<HeldUpdate> held(Pool pool, OperationGroup group) {
        if (moments.pausedSince().isPresent()) {
            return moments.pausedSince().map(since -> new HeldUpdate(Pauses.ALL_PAUSED, since));
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

    /** Why the last call failed; empty if it did not, although an earlier attempt may have. */
    private static Optional<Failure> failure(Pool pool) {
        return pool.known().map(KnownPool::lastCall).flatMap(KnownPool.LastCall::failure);
    }

    private static Difference waiting(Why why, OperationGroup group) {
        return new Difference(why, Optional.of(group.since()), Optional.empty());
    }
}
