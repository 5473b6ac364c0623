package dev.poolkeeper.ports;

/**
 * Receives the state of the cluster from the API server. An added and a changed object cause the same call, with the
 * current state.
 *
 * <p>Calls may come from several threads, but for one object they come in the order of its versions. Implementations
 * return quickly, never wait for I/O, and accept a state that they already know.
 */
public interface ClusterListener {

    void serviceChanged(ServiceState service);

    void serviceDeleted(ServiceName service);

    void sliceChanged(EndpointSliceState slice);

    /** @param slice the last known state of the slice */
    void sliceDeleted(EndpointSliceState slice);

    void nodeChanged(NodeState node);

    void nodeDeleted(String node);

    /**
     * Whether the Nodes reported so far are known to be all there are. While they are, this is repeated whenever the
     * watch of Nodes gives a sign of life. A listener that is never told takes its Nodes for complete.
     *
     * @param inStep false before the first list, and from a break of the watch until it goes on
     */
    default void nodesInStep(boolean inStep) {}

    /** A Pod that opted in to the readiness gate. Reported only if these Pods are watched. */
    default void podChanged(PodState pod) {}

    /** @param pod the last known state of the Pod */
    default void podDeleted(PodState pod) {}
}
