package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The design document's pace: at each tick the due pools join their lane's list, in order of their first operation.
 * Pools that become due later wait for the next tick.
 */
final class TickPacing implements Pacing {

    private final OperationQueue queue;
    private final InstantSource clock;

    TickPacing(OperationQueue queue, InstantSource clock) {
        this.queue = queue;
        this.clock = clock;
    }

    @Override
    public void tickBegins(Lane lane, Instant now) {
        queue.due(lane.loadBalancer, now).forEach(group -> lane.list(group.pool()));
    }

    /** Checks again, because a pool that was listed while the lane was updating it may have been parked since. */
    @Override
    public boolean hasNext(Lane lane, Instant now) {
        return lane.hasListed(pool -> queue.isDue(pool, now));
    }

    /** That of the operation that it starts with. */
    @Override
    public long place(Lane lane) {
        return lane.firstListed().map(queue::sequence).orElse(Long.MAX_VALUE);
    }

    @Override
    public Optional<PoolKey> next(Lane lane, Instant now) {
        return lane.takeListed();
    }

    /** Only the rest of a tick, whose updates are made one at a time in the caller's thread. */
    @Override
    public Optional<Instant> nextStart(Lane lane) {
        Instant now = clock.instant();
        return Optional.of(now).filter(start -> hasNext(lane, start));
    }

    @Override
    public void lockRefused(Lane lane, Optional<Instant> until) {
        lane.forgetListed();
    }
}
