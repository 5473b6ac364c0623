package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.ServiceEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * The reason why a guard holds an update back.
 *
 * @param by what holds it
 * @param until when the hold ends if nothing else happens; empty if only an event ends it
 * @param text one sentence for people that states what is held and why
 * @param remedy one sentence for people that states what ends the hold, or what to do to end it
 * @param removal the id of the held removal, if the safety brake holds one
 * @param changedBack how often another writer changed the pool back; 0 if that is not the reason
 */
public record HoldCause(
        By by, Optional<Instant> until, String text, String remedy, Optional<String> removal, int changedBack) {

    public HoldCause(By by, Optional<Instant> until, String text, String remedy) {
        this(by, until, text, remedy, Optional.empty(), 0);
    }

    /** What an event about it says, as values. */
    public ServiceEvent.Cause cause() {
        return new ServiceEvent.Cause.Hold(by.name(), until, removal, changedBack);
    }

    /** Both sentences. */
    public String message() {
        return text + " " + remedy;
    }

    /** The causes for which updates are held back. */
    public enum By {
        /** All writes are paused by the configuration. */
        PAUSE,
        /** An annotation of the Service pauses its changes. */
        SERVICE_PAUSE,
        /** ARM answered 403 for the pool. */
        FORBIDDEN,
        /** Another writer keeps changing the pool back. */
        DRIFT,
        /** The wanted addresses of another Service in the shared pool are not known yet. */
        SHARED_POOL,
        /** Too many addresses would be removed at once. */
        SAFETY_BRAKE,
        /** Many addresses are to be removed; waiting to see whether more follow. */
        REMOVAL_WAVE,
        /** The retry budget refused a retry. */
        RETRY_BUDGET,
        /** Several load balancers have a pool of that name. */
        AMBIGUOUS;

        /** Whether it holds a part of what is wanted, so that updates go on without it. */
        public boolean isOfPart() {
            return this == SERVICE_PAUSE || this == SAFETY_BRAKE || this == REMOVAL_WAVE;
        }
    }
}
