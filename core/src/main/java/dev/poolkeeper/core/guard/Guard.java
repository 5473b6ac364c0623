package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;

/**
 * May hold back all or part of a plan. Held operations stay queued: no attempt is counted, and the plan is judged again
 * at the next tick. A plan is judged before its pool is read, from the last known contents, so that a held update costs
 * no call; and again after the read. Implementations are thread-safe and never block.
 */
public interface Guard {

    /** Decides which part of the plan may be done now. */
    Verdict judge(Plan plan);

    /** What {@link #judge} would say now. Only looks: nothing is held or let through because of it. */
    default Verdict look(Plan plan) {
        return judge(plan);
    }

    /**
     * A tick begins. Each plan is based on the last known contents of its pool.
     *
     * @param plans the plans of all updates that wait, are parked or are in progress; a pool may have several
     * @param release the same without the parts held back by the guards asked before this one
     */
    default void tickBegins(Collection<Plan> plans, Collection<Plan> release) {}

    /** The pool was read and the plan is based on its contents. Called before {@link #judge}. */
    default void wasRead(Plan plan) {}

    /** The write of this plan is about to be sent. */
    default void writeBegins(Plan plan) {}

    /** A write succeeded: the pool was seen to hold the planned addresses. */
    default void wasWritten(Plan plan) {}

    /** After a write the pool held neither its previous nor the planned addresses. */
    default void wasOverwritten(Plan plan) {}

    /** The write of this pool ended, successfully or not. Called after all other notifications about it. */
    default void writeEnded(PoolKey pool) {}

    /** A read or a write of the pool succeeded. */
    default void succeeded(PoolKey pool, boolean write) {}

    /** A read or a write of the pool failed. */
    default void failed(PoolKey pool, boolean write, Failure failure) {}
}
