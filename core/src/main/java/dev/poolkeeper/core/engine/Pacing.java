package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which update a lane starts next and which updates wait. Thread-safe; used for one term. */
interface Pacing {

    /** At the end of an interval: assigns the due pools to the lane. */
    default void tickBegins(Lane lane, Instant now) {}

    /** Whether the lane has an update to start now. */
    boolean hasNext(Lane lane, Instant now);

    /** The place in order of a lane that has an update to start: the lowest one starts first. */
    long place(Lane lane);

    /** The pool that the lane updates next; empty if there is none. */
    Optional<PoolKey> next(Lane lane, Instant now);

    /** Until when a pool rests after an attempt that failed; empty for no rest. */
    default Optional<Instant> rest() {
        return Optional.empty();
    }

    /**
     * A tick begins: if the quota is nearly exhausted, chooses which updates may start.
     *
     * @param isBusy whether an update is in progress in any lane
     */
    default void shareQuota(boolean isBusy, Instant now) {}

    /** Whether due updates may have to wait because the quota is nearly exhausted. */
    default boolean isShortOfQuota() {
        return false;
    }

    /**
     * Until when no update of this load balancer starts, because Azure has asked to wait; empty if one may.
     *
     * @param loadBalancer null for any
     */
    default Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
        return Optional.empty();
    }

    /** When this free lane should start an update, regardless of the tick interval; empty for never. */
    Optional<Instant> nextStart(Lane lane);

    /** The resource lock is not available; the lane starts nothing. */
    void lockRefused(Lane lane, Optional<Instant> until);

    /** The resource lock was acquired. Returns whether lanes that wait for it may start now. */
    default boolean lockAcquired() {
        return false;
    }
}
