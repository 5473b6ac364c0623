package dev.poolkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of callers of a {@link ClusterListener}. */
public interface ClusterListenerContract {

    /** Starts the watch; the listener is called from now on. */
    void watch(ClusterListener listener);

    /** Creates or changes an object of the cluster. */
    void put(ServiceState service);

    void put(EndpointSliceState slice);

    void put(NodeState node);

    void deleteService(ServiceName service);

    void deleteSlice(String namespace, String name);

    void deleteNode(String node);

    /** No events arrive until {@link #reconnect}. */
    void disconnect();

    void reconnect();

    /** Returns once all changes so far have been reported. */
    void settle();

    /** A namespace that the test may write to. */
    default String namespace() {
        return "shop";
    }

    private ServiceState service(String policy) {
        return new ServiceState(new ServiceName(namespace(), "web"), "LoadBalancer", policy, List.of("IPv4"));
    }

    private EndpointSliceState slice(String... nodes) {
        ServiceName service = new ServiceName(namespace(), "web");
        return new EndpointSliceState(namespace(), "web-1", service, "IPv4", List.of(nodes));
    }

    private String node() {
        return namespace() + "-node-1";
    }

    private NodeState node(String ip) {
        return new NodeState(node(), Map.of(), List.of(ip));
    }

    private String serviceKey() {
        return "Service " + namespace() + "/web";
    }

    private String sliceKey() {
        return "EndpointSlice " + namespace() + "/web-1";
    }

    private ObservedCluster watched() {
        ObservedCluster observed = new ObservedCluster();
        watch(observed);
        settle();
        return observed;
    }

    private void putAll() {
        put(service("Local"));
        put(slice(node()));
        put(node("10.224.0.4"));
    }

    private void deleteAll() {
        deleteService(new ServiceName(namespace(), "web"));
        deleteSlice(namespace(), "web-1");
        deleteNode(node());
    }

    @Test
    default void existing_objects_are_reported() {
        putAll();

        ObservedCluster observed = watched();

        assertThat(observed.find(serviceKey())).contains(service("Local"));
        assertThat(observed.find(sliceKey())).contains(slice(node()));
        assertThat(observed.find("Node " + node())).contains(node("10.224.0.4"));
    }

    @Test
    default void added_objects_are_reported() {
        ObservedCluster observed = watched();

        putAll();
        settle();

        assertThat(observed.find(serviceKey())).contains(service("Local"));
        assertThat(observed.find(sliceKey())).contains(slice(node()));
        assertThat(observed.find("Node " + node())).contains(node("10.224.0.4"));
    }

    @Test
    default void changes_are_reported() {
        putAll();
        ObservedCluster observed = watched();

        put(service("Cluster"));
        put(slice());
        put(node("10.224.0.5"));
        settle();

        assertThat(observed.find(serviceKey())).contains(service("Cluster"));
        assertThat(observed.find(sliceKey())).contains(slice());
        assertThat(observed.find("Node " + node())).contains(node("10.224.0.5"));
    }

    @Test
    default void deletions_are_reported() {
        putAll();
        ObservedCluster observed = watched();

        deleteAll();
        settle();

        assertThat(observed.find(serviceKey())).isEmpty();
        assertThat(observed.find(sliceKey())).isEmpty();
        assertThat(observed.find("Node " + node())).isEmpty();
    }

    @Test
    default void changes_while_disconnected_are_reported_afterwards() {
        putAll();
        ObservedCluster observed = watched();

        disconnect();
        put(service("Cluster"));
        put(slice());
        put(node("10.224.0.5"));
        reconnect();
        settle();

        assertThat(observed.find(serviceKey())).contains(service("Cluster"));
        assertThat(observed.find(sliceKey())).contains(slice());
        assertThat(observed.find("Node " + node())).contains(node("10.224.0.5"));
    }

    @Test
    default void deletions_while_disconnected_are_reported_afterwards() {
        putAll();
        ObservedCluster observed = watched();

        disconnect();
        deleteAll();
        reconnect();
        settle();

        assertThat(observed.find(serviceKey())).isEmpty();
        assertThat(observed.find(sliceKey())).isEmpty();
        assertThat(observed.find("Node " + node())).isEmpty();
    }

    @Test
    default void objects_recreated_while_disconnected_are_reported_as_deleted_and_added() {
        putAll();
        ObservedCluster observed = watched();

        disconnect();
        deleteAll();
        putAll();
        reconnect();
        settle();

        for (String key : List.of(serviceKey(), sliceKey(), "Node " + node())) {
            assertThat(observed.calls().stream().filter(call -> call.endsWith(key)))
                    .containsExactly("changed " + key, "deleted " + key, "changed " + key);
        }
    }

    @Test
    default void an_identical_update_makes_no_difference() {
        putAll();
        ObservedCluster observed = watched();

        putAll();
        settle();

        assertThat(observed.find(serviceKey())).contains(service("Local"));
        assertThat(observed.find(sliceKey())).contains(slice(node()));
        assertThat(observed.find("Node " + node())).contains(node("10.224.0.4"));
    }
}
