package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.HoldCause;
import java.time.Instant;
import java.util.Optional;

/**
 * The reason why a pool does not hold the wanted addresses.
 *
 * @param why the cause, with its values
 * @param since when the wait began; empty if unknown
 * @param until the latest time at which the wait ends by itself, or the pool may be tried again; empty if only an event
 *     ends it, or it waits for its turn
 */
public record Difference(Why why, Optional<Instant> since, Optional<Instant> until) {

    /** The causes for which a pool can wait. */
    public enum Reason {
        /** No wanted set has been complete yet: a slice or a referenced node has not been seen. */
        INCOMPLETE,
        /** This replica is not the leader. */
        NOT_LEADING,
        /** The load balancers have not been listed in this term as leader. */
        NOT_LISTED,
        /** A guard holds the update. */
        HELD,
        /** A read or a write is in progress, or next in line on its load balancer. */
        IN_PROGRESS,
        /** Another writer holds the resource lock. */
        LOCK_HELD,
        /** ARM throttled the call and named the time of the next attempt, or our own rate limit is exhausted. */
        PARKED,
        /** An attempt failed; the next update retries it. */
        RETRYING,
        /** The next update of its load balancer takes it. */
        QUEUED,
        /** Its update failed permanently; an EndpointSlice event or the next comparison queues it again. */
        FAILED,
        /** No update is queued, for example after a change by another writer; the next comparison queues one. */
        NOT_COMPARED
    }

    /** The kind of the cause. */
    public Reason reason() {
        return why.reason();
    }

    /** The id of the removal for which the safety brake holds the pool; empty if it does not. */
    public Optional<String> heldRemoval() {
        return why instanceof Why.OnHold(HoldCause.Braked braked) ? Optional.of(braked.removal()) : Optional.empty();
    }

    /** A human-readable sentence that states the cause. */
    public String text() {
        return DifferenceTexts.text(why);
    }

    /** A human-readable sentence that states what ends the wait, or what to do to end it. */
    public String remedy() {
        return DifferenceTexts.remedy(why);
    }
}
