package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;

import dev.poolkeeper.contract.ClusterListenerContract;
import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.Objects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("real-cluster")
class ClusterWatcherContractTest implements ClusterListenerContract {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private ClusterWatcher watcher;
    private ObservedCluster observed;
    private int sentinels;

    @AfterEach
    void close() {
        if (watcher != null) {
            watcher.close();
        }
        cluster.close();
    }

    @Override
    public String namespace() {
        return cluster.namespace();
    }

    @Override
    public void watch(ClusterListener listener) {
        observed = (ObservedCluster) listener;
        watcher = new ClusterWatcher(cluster.client(), WatchSettings.DEFAULT, time, listener);
        watcher.start();
        until(time, "synced", watcher::hasSynced);
    }

    @Override
    public void put(ServiceState service) {
        cluster.put(Objects.service(service));
    }

    @Override
    public void put(EndpointSliceState slice) {
        cluster.put(Objects.slice(slice));
    }

    @Override
    public void put(NodeState node) {
        cluster.put(Objects.node(node));
    }

    @Override
    public void deleteService(ServiceName service) {
        cluster.delete(
                "/api/v1/namespaces/%s/services/%s".formatted(service.namespace(), service.name()),
                Objects.service(service.namespace(), service.name()));
    }

    @Override
    public void deleteSlice(String namespace, String name) {
        cluster.delete(
                "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices/%s".formatted(namespace, name),
                Objects.slice(new EndpointSliceState(namespace, name, null, "IPv4", List.of())));
    }

    @Override
    public void deleteNode(String node) {
        cluster.delete("/api/v1/nodes/" + node, Objects.node(new NodeState(node, Map.of(), List.of())));
    }

    @Override
    public void disconnect() {
        cluster.emulator().stop();
        // otherwise a watch that detects it late would wait for a time that never comes
        until(time, "disconnected", () -> watcher.statuses().stream().noneMatch(WatchStatus::watching));
    }

    @Override
    public void reconnect() {
        cluster.emulator().startAgain();
        time.advance(WatchSettings.DEFAULT.longestBackoff().multipliedBy(2));
    }

    /** Adds a last object of each kind: once it is reported, so is everything before it. */
    @Override
    public void settle() {
        String name = "last-" + ++sentinels;
        ServiceName service = new ServiceName(namespace(), name);
        put(new ServiceState(service, "ClusterIP", null, List.of()));
        put(new EndpointSliceState(namespace(), name, service, "IPv4", List.of()));
        put(new NodeState(namespace() + name, Map.of(), List.of()));
        for (String key : List.of("Service " + service, "EndpointSlice " + service, "Node " + namespace() + name)) {
            until(time, key, () -> observed.find(key).isPresent());
        }
    }
}
