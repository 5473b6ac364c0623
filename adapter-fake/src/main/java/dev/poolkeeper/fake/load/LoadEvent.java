package dev.poolkeeper.fake.load;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;

/** A watch event of a made-up cluster. */
public sealed interface LoadEvent {

    /** When it comes, in milliseconds since the start. */
    long offsetMillis();

    /** What it does to the object. */
    Type type();

    /** Reports to a listener what the event says. */
    void report(ClusterListener listener);

    /** As the API server spells it. */
    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** A Service came, changed or went. */
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

    /** An EndpointSlice came, changed or went. */
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

    /** A node came, changed or went. */
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
