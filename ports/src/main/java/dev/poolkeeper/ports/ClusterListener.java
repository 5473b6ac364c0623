package dev.poolkeeper.ports;

/**
 * Hears what the API server says of the cluster. A first sight and a change are the same call: the state as it is now.
 *
 * <p>Calls may come from several threads, but for one object in the order of its versions. Implementations return
 * quickly, never wait for I/O, and take a state that they already know without harm.
 */
public interface ClusterListener {

    void serviceChanged(ServiceState service);

    void serviceDeleted(ServiceName service);

    void sliceChanged(EndpointSliceState slice);

    /** @param slice the slice as it last was */
    void sliceDeleted(EndpointSliceState slice);

    void nodeChanged(NodeState node);

    void nodeDeleted(String node);

    /** A Pod that opted in to the readiness gate. Reported only where these Pods are watched. */
    default void podChanged(PodState pod) {}

    /** @param pod the Pod as it last was */
    default void podDeleted(PodState pod) {}

    /** A listener that passes everything on to two others, in this order. */
    static ClusterListener both(ClusterListener first, ClusterListener second) {
        return new ListenerPair(first, second);
    }
}
