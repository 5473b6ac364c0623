package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * One version of one object.
 *
 * @param kind what it is
 * @param key {@code namespace/name}, or the name of a node
 * @param uid another one when it is made anew
 * @param version its resource version, the cluster's revision when it was written
 * @param state what is kept of it: a {@link ServiceState}, {@link EndpointSliceState} or {@link NodeState}
 * @param deleted whether this is its end
 * @param meta its metadata as a client sees it
 */
public record Sighting(
        Kind kind, String key, String uid, long version, Object state, boolean deleted, ObjectMeta meta) {

    static Sighting of(Kind kind, String key, String uid, long version, Object state, boolean deleted) {
        ObjectMeta meta = new ObjectMeta();
        int slash = key.indexOf('/');
        if (slash >= 0) {
            meta.setNamespace(key.substring(0, slash));
        }
        meta.setName(key.substring(slash + 1));
        meta.setUid(uid);
        meta.setResourceVersion(Long.toString(version));
        return new Sighting(kind, key, uid, version, state, deleted, meta);
    }

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
