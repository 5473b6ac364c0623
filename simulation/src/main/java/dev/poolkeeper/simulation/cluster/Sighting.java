package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;

/**
 * One version of one object.
 *
 * @param kind its kind
 * @param key {@code namespace/name}, or the name of a node
 * @param uid its uid, which changes when it is recreated
 * @param version its resource version
 * @param state its relevant state: a {@link ServiceObject}, {@link EndpointSliceState} or {@link NodeState}
 * @param deleted whether the object was deleted
 */
public record Sighting(Kind kind, String key, String uid, long version, Object state, boolean deleted) {

    public ServiceObject service() {
        return (ServiceObject) state;
    }

    public EndpointSliceState slice() {
        return (EndpointSliceState) state;
    }

    public NodeState node() {
        return (NodeState) state;
    }
}
