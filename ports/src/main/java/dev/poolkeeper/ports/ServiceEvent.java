package dev.poolkeeper.ports;

/**
 * A Kubernetes Event about one Service and one of its pools.
 *
 * @param service the Service it is about
 * @param pool the pool it is about
 * @param reason the reason, with its type
 * @param message for people, one line, with all details
 * @param note the same without correlation ids and times, so that Kubernetes counts equal causes as one Event
 */
public record ServiceEvent(ServiceName service, PoolKey pool, Reason reason, String message, String note) {

    /** An event with the same text as message and note. */
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

        /** The spelling used by Kubernetes. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** The reasons of events: design document, <em>Event Behavior</em>. */
    public enum Reason {
        UPDATED(Type.NORMAL, "LoadBalancerBackendPoolUpdated"),
        RETRYING(Type.WARNING, "LoadBalancerBackendPoolUpdateRetrying"),
        FAILED(Type.WARNING, "LoadBalancerBackendPoolUpdateFailed"),
        /** A guard holds an update back until the cause ends. Not in the design document. */
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

        /** The spelling in the Event's {@code reason} field. */
        @Override
        public String toString() {
            return text;
        }
    }
}
