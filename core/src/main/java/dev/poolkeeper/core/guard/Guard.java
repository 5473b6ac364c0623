package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;

/**
 * May hold a plan back, whole or in part. What is held back stays queued: no attempt is counted, and the plan is judged
 * again at the next tick. A plan is judged before its pool is read, from what is known, so that what is held costs no
 * call; and again from what was read. Implementations are thread-safe and never block.
 */
public interface Guard {

    /** What of the plan may be done now. */
    Verdict judge(Plan plan);

    /** What {@link #judge} would say now. Only looks: nothing is held or let through because of it. */
    default Verdict look(Plan plan) {
        return judge(plan);
    }

    /**
     * A tick begins. Each plan is made from what is known of its pool.
     *
     * @param plans of everything that waits, is parked or is in progress; a pool may have several
     * @param letGo the same without what the guards asked before this one hold back
     */
    default void tickBegins(Collection<Plan> plans, Collection<Plan> letGo) {}

    /** The pool was read; the plan is made from that. Before it is judged. */
    default void wasRead(Plan plan) {}

    /** A write is about to be sent; the plan is what it is to do. */
    default void writeBegins(Plan plan) {}

    /** A write landed: the pool was seen to hold what was planned. */
    default void wasWritten(Plan plan) {}

    /** After a write the pool held neither what it held before nor what was planned. */
    default void wasOverwritten(Plan plan) {}

    /** The write of this pool is over, however it ended. After everything else that is reported of it. */
    default void writeEnded(PoolKey pool) {}

    /** A read or a write of the pool succeeded. */
    default void succeeded(PoolKey pool, boolean write) {}

    /** A read or a write of the pool failed. */
    default void failed(PoolKey pool, boolean write, Failure failure) {}
}
