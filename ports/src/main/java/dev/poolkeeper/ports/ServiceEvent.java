package dev.poolkeeper.ports;

/**
 * A Kubernetes Event about one Service and one of its pools.
 *
 * @param service the Service it is about
 * @param pool the pool it is about
 * @param reason why, with its type
 * @param message for people, one line, with all that is known
 * @param note the same without correlation ids and instants: equal causes have equal notes, so that Kubernetes counts
 *     them as one Event
 */
public record ServiceEvent(ServiceName service, PoolKey pool, Reason reason, String message, String note) {

    /** An event whose message is its note. */
    public ServiceEvent(ServiceName service, PoolKey pool, Reason reason, String message) {
        this(service, pool, reason, message, message);
    }

    /** The type of a Kubernetes Event. */
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** As Kubernetes spells it. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Why an event is emitted: design document, <em>Event Behavior</em>. */
    public enum Reason {
        UPDATED(Type.NORMAL, "LoadBalancerBackendPoolUpdated"),
        RETRYING(Type.WARNING, "LoadBalancerBackendPoolUpdateRetrying"),
        FAILED(Type.WARNING, "LoadBalancerBackendPoolUpdateFailed"),
        /** Not of the design document: an update is held back on purpose, and waits for its cause to end. */
        HELD(Type.WARNING, "LoadBalancerBackendPoolUpdateHeld");

        private final Type type;
        private final String text;

        Reason(Type type, String text) {
            this.type = type;
            this.text = text;
        }

        public Type type() {
            return type;
        }

        /** As the Event's {@code reason} field spells it. */
        @Override
        public String toString() {
            return text;
        }
    }
}
