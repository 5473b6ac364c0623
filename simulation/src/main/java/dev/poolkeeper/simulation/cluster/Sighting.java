package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;

/**
 * One version of one object.
 *
 * @param kind what it is
 * @param key {@code namespace/name}, or the name of a node
 * @param uid another one when it is made again
 * @param version its resource version
 * @param state what matters of it: a {@link ServiceState}, {@link EndpointSliceState} or {@link NodeState}
 * @param deleted whether this is its end
 */
public record Sighting(Kind kind, String key, String uid, long version, Object state, boolean deleted) {

    public ServiceState service() {
        return (ServiceState) state;
    }

    public EndpointSliceState slice() {
        return (EndpointSliceState) state;
    }

    public NodeState node() {
        return (NodeState) state;
    }
}
