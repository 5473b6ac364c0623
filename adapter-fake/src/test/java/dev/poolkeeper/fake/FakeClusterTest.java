package dev.poolkeeper.fake;

import dev.poolkeeper.contract.ClusterListenerContract;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;

class FakeClusterTest implements ClusterListenerContract {

    private final FakeCluster cluster = new FakeCluster();

    @Override
    public void watch(ClusterListener listener) {
        cluster.listen(listener);
    }

    @Override
    public void put(ServiceState service) {
        cluster.put(service);
    }

    @Override
    public void put(EndpointSliceState slice) {
        cluster.put(slice);
    }

    @Override
    public void put(NodeState node) {
        cluster.put(node);
    }

    @Override
    public void deleteService(ServiceName service) {
        cluster.deleteService(service);
    }

    @Override
    public void deleteSlice(String namespace, String name) {
        cluster.deleteSlice(namespace, name);
    }

    @Override
    public void deleteNode(String node) {
        cluster.deleteNode(node);
    }

    @Override
    public void disconnect() {
        cluster.disconnect();
    }

    @Override
    public void reconnect() {
        cluster.reconnect();
    }

    @Override
    public void settle() {}
}
