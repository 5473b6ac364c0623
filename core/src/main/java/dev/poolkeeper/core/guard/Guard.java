package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Plan;

/**
 * May hold back all or part of a plan. Held operations stay queued: no attempt is counted, and the plan is judged again
 * at the next tick. A plan is judged before its pool is read, from the last known contents, so that a held update costs
 * no call; and again after the read. Implementations are thread-safe and never block.
 */
@FunctionalInterface
public interface Guard {

    /** Decides which part of the plan may be done now. */
    Verdict judge(Plan plan);
}
