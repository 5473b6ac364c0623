package dev.poolkeeper.fake.load;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;

/** A watch event of a generated cluster. */
public sealed interface LoadEvent {

    /** The time of the event, in milliseconds since the start. */
    long offsetMillis();

    /** The change to the object. */
    Type type();

    /** Reports the event to a listener. */
    void report(ClusterListener listener);

    /** The event types, in the API server's spelling. */
    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** A Service was added, changed or deleted. */
    record OfService(long offsetMillis, Type type, ServiceState state) implements LoadEvent {
        @Override
        public void report(ClusterListener listener) {
            if (type == Type.DELETED) {
                listener.serviceDeleted(state.name());
            } else {
                listener.serviceChanged(state);
            }
        }
    }

    /** An EndpointSlice was added, changed or deleted. */
    record OfSlice(long offsetMillis, Type type, EndpointSliceState state) implements LoadEvent {
        @Override
        public void report(ClusterListener listener) {
            if (type == Type.DELETED) {
                listener.sliceDeleted(state);
            } else {
                listener.sliceChanged(state);
            }
        }
    }

    /** A node was added, changed or deleted. */
    record OfNode(long offsetMillis, Type type, NodeState state, int zone) implements LoadEvent {
        @Override
        public void report(ClusterListener listener) {
            if (type == Type.DELETED) {
                listener.nodeDeleted(state.name());
            } else {
                listener.nodeChanged(state);
            }
        }
    }
}
