package dev.poolkeeper.core.engine;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a pool does not hold what is wanted.
 *
 * @param reason what it waits for
 * @param since since when it waits; empty where that is not known
 * @param until when that ends by itself at the latest; empty where only an event ends it
 * @param text one sentence for people: what it waits for
 * @param remedy one sentence for people: what ends it, or what to do to end it
 */
public record Difference(Reason reason, Optional<Instant> since, Optional<Instant> until, String text, String remedy) {

    /** What a pool can wait for. */
    public enum Reason {
        /** No wanted set was complete yet: a slice, or a node that one names, was not seen. */
        INCOMPLETE,
        /** Another replica leads, or none does. */
        NOT_LEADING,
        /** The load balancers were not listed in this term as leader. */
        NOT_LISTED,
        /** A guard holds the update. */
        HELD,
        /** A read or a write is in progress, or next in line on its load balancer. */
        IN_PROGRESS,
        /** Another writer holds the resource lock. */
        LOCK_HELD,
        /** Azure said when to come back, or our own rate limit is used up. */
        PARKED,
        /** An attempt failed; the next update retries it. */
        RETRYING,
        /** The next update of its load balancer takes it. */
        QUEUED,
        /** Its update failed for good; an EndpointSlice event or the next comparison queues it again. */
        FAILED,
        /** No update is queued: another writer changed it, say, or it was not found. The next comparison queues one. */
        NOT_COMPARED
    }
}
