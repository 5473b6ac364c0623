package dev.poolkeeper.contract;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;

/** Forwards every call to two listeners, in order. */
public record ListenerPair(ClusterListener first, ClusterListener second) implements ClusterListener {

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
