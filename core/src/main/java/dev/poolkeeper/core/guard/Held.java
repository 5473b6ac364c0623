package dev.poolkeeper.core.guard;

import java.time.Instant;
import java.util.Optional;

/**
 * Why an update is held back on purpose.
 *
 * @param by what holds it
 * @param until when it is let go if nothing else happens; empty where only an event ends it
 * @param text one sentence for people: what is held, and why
 * @param remedy one sentence for people: what ends it, or what to do to end it
 */
public record Held(By by, Optional<Instant> until, String text, String remedy) {

    /** Both sentences. */
    public String message() {
        return text + " " + remedy;
    }

    /** What holds updates back. */
    public enum By {
        /** All writes are paused by the configuration. */
        PAUSE,
        /** An annotation of the Service pauses its pools. */
        SERVICE_PAUSE,
        /** The load balancer answered 403. */
        FORBIDDEN,
        /** Another writer keeps changing the pool back. */
        DRIFT,
        /** What another Service wants in the shared pool is not known yet. */
        SHARED_POOL,
        /** Too many addresses would be removed at once. */
        SAFETY_BRAKE,
        /** Many addresses are to be removed; whether more follow is waited for. */
        REMOVAL_WAVE,
        /** The retry budget refused a retry. */
        RETRY_BUDGET,
        /** Several load balancers have a pool of that name. */
        AMBIGUOUS
    }
}
