package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.State;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the status of the engine and of its pools, and finds the reason for each difference. */
final class StatusReport {

    private final Assembly assembly;
    private final @Nullable LeaderWork work;
    private final Moments moments;
    private final Causes causes;

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
        this.causes = Causes.of(assembly, work, moments.leadershipChanged(), moments.pausedSince());
    }

    EngineStatus engine(Listings listings, Instant nextListing) {
        Unplaced unplaced = SafePorts.ask(Engine.VIEW, Unplaced.NONE, assembly.view()::unplaced);
        Instant now = causes.now();
        return new EngineStatus(
                now,
                work != null,
                moments.leadershipChanged(),
                new EngineStatus.Listing(
                        listings.last(),
                        listings.failure(),
                        nextListing.isBefore(now) ? now : nextListing,
                        moments.lastResync(),
                        causes.nextResync(),
                        unplaced.withoutPool(),
                        unplaced.ambiguous(),
                        unplaced.clashes()),
                work(now),
                assembly.guards().map(ActiveGuards::status).orElse(EngineStatus.Holds.NONE),
                assembly.known().freshness(now),
                pools(assembly.known().used()));
    }

    private EngineStatus.Work work(Instant now) {
        LeaderWork current = work;
        if (current == null) {
            return new EngineStatus.Work(0, 0, Optional.empty(), Optional.empty());
        }
        List<OperationGroup> parked = current.queue.parked(now);
        List<Instant> unsent = unsent(current, now);
        return new EngineStatus.Work(
                current.queue.size(),
                parked.size() + unsent.size(),
                current.queue.nextEligibleAt().filter(now::isBefore),
                Stream.concat(unsent.stream(), parked.stream().flatMap(group -> group.nextEligibleAt().stream()))
                        .max(Comparator.naturalOrder()));
    }

    /** Until when each due pool waits that is not tried because Azure has asked to wait. */
    private static List<Instant> unsent(LeaderWork current, Instant now) {
        List<Instant> all = new ArrayList<>();
        for (ArmName loadBalancer : current.queue.loadBalancers()) {
            current.shutUntil(loadBalancer)
                    .ifPresent(until -> current.queue.ready(loadBalancer, now).forEach(pool -> all.add(until)));
        }
        return all;
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
        return causes.idle().orElseGet(() -> switch (pool.state()) {
            case State.InHand(OperationGroup group) -> waiting(Why.Plain.IN_PROGRESS, group);
            case State.Waiting(OperationGroup group) -> queued(pool, group);
            case State.GaveUp(Failure failure, Instant since) ->
                new Difference(new Why.GaveUp(failure), Optional.of(since), causes.nextResync());
            case State.Idle idle -> notQueued(pool);
        });
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
                causes.nextResync());
    }

    private static boolean isChangedByAnother(KnownPool known) {
        AddressSet landed = known.landed();
        return landed != null && !landed.equals(known.addresses());
    }

    private Difference queued(Pool pool, OperationGroup group) {
        Instant now = causes.now();
        Optional<Instant> waitsUntil =
                pool.backlog().waitsUntil(assembly.settings().pace().gather(), now);
        Optional<HeldUpdate> because = held(pool, group);
        if (because.isPresent()) {
            HoldCause hold = because.get().because();
            return new Difference(
                    new Why.OnHold(hold),
                    Optional.of(because.get().since()),
                    hold.by() == HoldCause.By.RETRY_BUDGET ? waitsUntil : hold.until());
        }
        Optional<Instant> parkedUntil = group.nextEligibleAt().filter(now::isBefore);
        Optional<Instant> shutUntil = Optional.ofNullable(work)
                .flatMap(leading -> leading.shutUntil(pool.key().loadBalancer()));
        if (parkedUntil.isPresent()) {
            Optional<Instant> until =
                    shutUntil.filter(parkedUntil.get()::isBefore).or(() -> parkedUntil);
            return new Difference(new Why.Parked(failure(pool)), Optional.of(group.since()), until);
        }
        if (shutUntil.isPresent()) { // then it is not tried, and the lock not requested
            Failure unsent = Failure.Throttled.atGate(shutUntil.get());
            return new Difference(new Why.Parked(Optional.of(unsent)), Optional.of(group.since()), shutUntil);
        }
        if (causes.isShortOfQuota()) { // then the lock may not have been requested for long
            return waiting(Why.Plain.SHORT_OF_QUOTA, group);
        }
        if (causes.lock().isPresent()) {
            return causes.lock().get();
        }
        Optional<Failure> last = failure(pool).filter(failure -> group.isRetry());
        return new Difference(
                last.<Why>map(Why.Retrying::new).orElse(Why.Plain.QUEUED), Optional.of(group.since()), waitsUntil);
    }

    /** Why it was held when it was last tried may be over: the guards are asked again. */
    private Optional<HeldUpdate> held(Pool pool, OperationGroup group) {
        return causes.paused()
                .or(() -> guarded(pool, group))
                .or(() -> pool.hold()
                        .filter(before -> before.because().by() == HoldCause.By.RETRY_BUDGET
                                && causes.isOverBudget()
                                && group.isRetry()));
    }

    private Optional<HeldUpdate> guarded(Pool pool, OperationGroup group) {
        return assembly.guards()
                .flatMap(active -> active.wouldHold(pool, group))
                .map(because -> new HeldUpdate(
                        because,
                        pool.hold()
                                .filter(before -> before.because().by() == because.by())
                                .map(HeldUpdate::since)
                                .orElse(group.since())));
    }

    /** Why the last call failed; empty if it did not, although an earlier attempt may have. */
    private static Optional<Failure> failure(Pool pool) {
        return pool.known().map(KnownPool::lastCall).flatMap(KnownPool.LastCall::failure);
    }

    private static Difference waiting(Why why, OperationGroup group) {
        return new Difference(why, Optional.of(group.since()), Optional.empty());
    }
}
