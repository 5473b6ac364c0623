package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the status of the whole engine. */
final class StatusReport {

    private static final Comparator<PoolStatus> BY_POOL = Comparator.comparing(
                    (PoolStatus status) -> status.pool().loadBalancer())
            .thenComparing(status -> status.pool().pool());

    private final Assembly assembly;
    private final @Nullable LeaderWork work;
    private final Moments moments;
    private final PoolReport pools;

    /**
     * Times that concern all pools; null for never.
     *
     * @param leadershipChanged when leadership was last gained or lost
     * @param pausedSince since when all writes are paused
     * @param lastResync when all pools were last compared
     */
    record Moments(
            @Nullable Instant leadershipChanged,
            @Nullable Instant pausedSince,
            @Nullable Instant lastResync) {}

    /** @param work null if this process is not the leader */
    StatusReport(Assembly assembly, @Nullable LeaderWork work, Moments moments) {
        this.assembly = assembly;
        this.work = work;
        this.moments = moments;
        this.pools = new PoolReport(
                assembly,
                work,
                Optional.ofNullable(moments.leadershipChanged()),
                Optional.ofNullable(moments.pausedSince()));
    }

    EngineStatus engine(Listings listings, Instant nextListing) {
        Unplaced unplaced = SafePorts.ask(Engine.VIEW, Unplaced.NONE, assembly.view()::unplaced);
        List<Pool> used = assembly.known().used();
        Instant now = assembly.clock().instant();
        return new EngineStatus(
                now,
                work != null,
                Optional.ofNullable(moments.leadershipChanged()),
                new EngineStatus.Listing(
                        listings.last(),
                        listings.failure(),
                        nextListing.isBefore(now) ? now : nextListing,
                        Optional.ofNullable(moments.lastResync()),
                        Optional.ofNullable(work).flatMap(leading -> leading.comparisons.next()),
                        unplaced.withoutPool(),
                        unplaced.ambiguous(),
                        unplaced.clashes()),
                work(now),
                assembly.guards().map(active -> active.status(used)).orElse(EngineStatus.Holds.NONE),
                assembly.freshness().snapshot(now),
                pools(used));
    }

    List<PoolStatus> pools(List<Pool> used) {
        return used.stream().map(pools::pool).sorted(BY_POOL).toList();
    }

    private EngineStatus.Work work(Instant now) {
        LeaderWork current = work;
        if (current == null) {
            return new EngineStatus.Work(0, 0, Optional.empty(), Optional.empty());
        }
        OperationQueue queue = current.queue;
        List<OperationGroup> parked = queue.parked(now);
        return new EngineStatus.Work(
                queue.size(),
                parked.size(),
                queue.nextEligibleAt().filter(now::isBefore),
                parked.stream()
                        .flatMap(group -> group.operations().stream())
                        .map(PendingOperation::nextEligibleAt)
                        .filter(Objects::nonNull)
                        .max(Comparator.<Instant>naturalOrder()));
    }
}
