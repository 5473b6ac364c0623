package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

/** Forwards every call to two listeners, in order. */
record ListenerPair(ClusterListener first, ClusterListener second) implements ClusterListener {

    ListenerPair {
        requireNonNull(first, "first");
        requireNonNull(second, "second");
    }

    @Override
    public void serviceChanged(ServiceState service) {
        first.serviceChanged(service);
        second.serviceChanged(service);
    }

    @Override
    public void serviceDeleted(ServiceName service) {
        first.serviceDeleted(service);
        second.serviceDeleted(service);
    }

    @Override
    public void sliceChanged(EndpointSliceState slice) {
        first.sliceChanged(slice);
        second.sliceChanged(slice);
    }

    @Override
    public void sliceDeleted(EndpointSliceState slice) {
        first.sliceDeleted(slice);
        second.sliceDeleted(slice);
    }

    @Override
    public void nodeChanged(NodeState node) {
        first.nodeChanged(node);
        second.nodeChanged(node);
    }

    @Override
    public void nodeDeleted(String node) {
        first.nodeDeleted(node);
        second.nodeDeleted(node);
    }

    @Override
    public void nodesInStep(boolean inStep) {
        first.nodesInStep(inStep);
        second.nodesInStep(inStep);
    }

    @Override
    public void podChanged(PodState pod) {
        first.podChanged(pod);
        second.podChanged(pod);
    }

    @Override
    public void podDeleted(PodState pod) {
        first.podDeleted(pod);
        second.podDeleted(pod);
    }
}
