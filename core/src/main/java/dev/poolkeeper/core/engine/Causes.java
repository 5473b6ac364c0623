package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Why pools of a process wait that is not about one of them. Read once for a status, beside the state of each pool.
 *
 * @param now when this was read
 * @param idle why nothing is updated at all; empty if this process leads and has listed the load balancers
 * @param paused the pause of all writes; empty if they are not paused
 * @param isShortOfQuota whether due updates may have to wait because the quota is nearly exhausted
 * @param lock another writer's hold of the resource lock, if updates wait for it
 * @param isOverBudget whether the retry budget admits no retry
 * @param nextResync when all pools are compared next; empty for never
 */
record Causes(
        Instant now,
        Optional<Difference> idle,
        Optional<HeldUpdate> paused,
        boolean isShortOfQuota,
        Optional<Difference> lock,
        boolean isOverBudget,
        Optional<Instant> nextResync) {

    /**
     * @param work null if this process is not the leader
     * @param leadershipChanged when leadership was last gained or lost; empty for never
     * @param pausedSince since when all writes are paused; empty if they are not
     */
    static Causes of(
            Assembly assembly,
            @Nullable LeaderWork work,
            Optional<Instant> leadershipChanged,
            Optional<Instant> pausedSince) {
        Instant now = assembly.clock().instant();
        Optional<HeldUpdate> paused = pausedSince.map(since -> new HeldUpdate(new HoldCause.Paused(), since));
        if (work == null || !work.comparisons.haveBegun()) {
            Why why = work == null ? Why.Plain.NOT_LEADING : Why.Plain.NOT_LISTED;
            Difference idle = new Difference(why, leadershipChanged, Optional.empty());
            return new Causes(now, Optional.of(idle), paused, false, Optional.empty(), false, nextResync(work));
        }
        OptionalLong budget = SafePorts.ask(
                PoolUpdate.BUDGET, OptionalLong.empty(), assembly.ports().budget()::balance);
        return new Causes(
                now,
                Optional.empty(),
                paused,
                work.isShortOfQuota(),
                work.lockRefusedSince().map(since -> lock(work, since)),
                budget.orElse(1) == 0,
                nextResync(work));
    }

    private static Difference lock(LeaderWork work, Instant since) {
        Optional<ResourceLock.Holder> holder = work.lockHolder();
        return new Difference(new Why.LockHeld(holder), Optional.of(since), holder.map(ResourceLock.Holder::until));
    }

    private static Optional<Instant> nextResync(@Nullable LeaderWork work) {
        return Optional.ofNullable(work).flatMap(leading -> leading.comparisons.next());
    }
}
