package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import java.util.TreeSet;

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

    /** The state as one line that is the same in every JVM: a slice's Pods are a set. */
    public String text() {
        return state instanceof EndpointSliceState slice
                ? slice.toString().replace(slice.podUids().toString(), new TreeSet<>(slice.podUids()).toString())
                : state.toString();
    }
}
