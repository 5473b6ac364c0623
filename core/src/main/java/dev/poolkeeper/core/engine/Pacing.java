package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Which update a lane does next, and what makes one wait. Thread-safe; for one term. */
interface Pacing {

    /** A tick begins: notes what the lane has to do because of it. */
    void tickBegins(Lane lane, Instant now);

    /** Whether the lane has something to do now. */
    boolean hasNext(Lane lane, Instant now);

    /** The pool that the lane updates next; empty if there is none. */
    Optional<PoolKey> next(Lane lane, Instant now);

    /** Whether a lane among others lets those have its thread after each pool. */
    boolean takesTurns();

    /** The pool was read: the group with whatever else this update takes up. */
    OperationGroup takeUp(OperationGroup group);

    /** An attempt failed, and what is to be tried again waits. */
    void failed(PoolKey pool);

    /** The update was held back, and waits. */
    void held(PoolKey pool, Held because);

    /**
     * A tick begins: where little is left of the quota, chooses what may start.
     *
     * @param isBusy whether an update is in progress in any lane
     */
    void shareQuota(boolean isBusy, Instant now);

    /** Whether what is due may have to wait because little is left of the quota. */
    boolean isShortOfQuota();

    /** Something changed that may make a guard let a pool go. */
    void askGuardsAgain();

    /** Lets go what no guard holds any more. */
    void letGo(Predicate<OperationGroup> isHeld);

    /** Lets this pool go, unless a guard holds what waits for it. */
    void letGo(PoolKey pool, Predicate<OperationGroup> isHeld);

    /** When this lane, which is free, is to start something whatever the interval says; empty for never. */
    Optional<Instant> nextStart(Lane lane);

    /** The resource lock is not to be had; the lane starts nothing. */
    void lockRefused(Lane lane, Optional<Instant> until);

    /** The resource lock is ours. Returns whether lanes that wait for it may start now. */
    boolean lockAcquired();
}
