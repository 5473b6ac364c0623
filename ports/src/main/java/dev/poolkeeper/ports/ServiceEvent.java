package dev.poolkeeper.ports;

import java.time.Instant;
import java.util.Optional;

/**
 * A Kubernetes Event about one Service and one of its pools.
 *
 * @param service the Service it is about
 * @param pool the pool it is about
 * @param reason the reason, with its type
 * @param message for people, one line, with all details
 * @param note the same without correlation ids and times, so that Kubernetes counts equal causes as one Event
 * @param cause what the message says, as values
 */
public record ServiceEvent(ServiceName service, PoolKey pool, Reason reason, String message, String note, Cause cause) {

    /** What an event is about, as values: programs read these, never the message. */
    public sealed interface Cause {

        /** Nothing more than the reason says. */
        record Plain() implements Cause {}

        /**
         * A failed attempt.
         *
         * @param number the attempt that failed, 1 for the first
         * @param bound how many attempts there are at most
         * @param failure why it failed
         * @param notBefore when the next one may begin; empty for the next update, and if there is none
         */
        record Attempt(long number, long bound, Failure failure, Optional<Instant> notBefore) implements Cause {}

        /**
         * A guard holds the update back.
         *
         * @param guard what holds it, such as {@code SAFETY_BRAKE}
         * @param until when the hold ends if nothing else happens; empty if only an event ends it
         * @param removal the id of the held removal, if the safety brake holds one
         * @param changedBack how often another writer changed the pool back; 0 if that is not the reason
         */
        record Hold(String guard, Optional<Instant> until, Optional<String> removal, int changedBack)
                implements Cause {}
    }

    /** An event without values, with the same text as message and note. */
    public ServiceEvent(ServiceName service, PoolKey pool, Reason reason, String message) {
        this(service, pool, reason, message, message, new Cause.Plain());
    }

    /** The reasons of events: design document, <em>Event Behavior</em>. */
    public enum Reason {
        UPDATED("Normal", "LoadBalancerBackendPoolUpdated"),
        RETRYING("Warning", "LoadBalancerBackendPoolUpdateRetrying"),
        FAILED("Warning", "LoadBalancerBackendPoolUpdateFailed"),
        /** A guard holds an update back until the cause ends. Not in the design document. */
        HELD("Warning", "LoadBalancerBackendPoolUpdateHeld");

        private final String type;
        private final String text;

        Reason(String type, String text) {
            this.type = type;
            this.text = text;
        }

        /** The type of a Kubernetes Event: {@code Normal} or {@code Warning}. */
        public String type() {
            return type;
        }

        /** The spelling in the Event's {@code reason} field. */
        @Override
        public String toString() {
            return text;
        }
    }
}
