package dev.poolkeeper.k8s.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * A watched kind of object, and the state that is kept of it.
 *
 * @param name the kind
 * @param watch the start of a watch or list request, relative to the API server's address: path and selector, ready for
 *     further parameters
 * @param type the class of its objects
 * @param pageShare the divisor of the page size for its objects: 1 for whole pages, 4 for a quarter
 * @param reduce reduces an object to the state that is kept
 * @param listener receives these states
 */
public record WatchedKind<T extends HasMetadata, S>(
        String name, String watch, Class<T> type, int pageShare, Function<T, S> reduce, KindListener<S> listener) {

    private static final String LABELLED = PodState.LABEL + "=true";

    /** Here and below the listeners are called in order; if one throws, those after it are not called. */
    static WatchedKind<Service, ServiceState> services(Reduction reduction, List<ClusterListener> listeners) {
        return new WatchedKind<>(
                "Service", "api/v1/services?", Service.class, 1, reduction::service, new KindListener<>() {
                    @Override
                    public void changed(ServiceState state) {
                        listeners.forEach(listener -> listener.serviceChanged(state));
                    }

                    @Override
                    public void deleted(ServiceState state) {
                        listeners.forEach(listener -> listener.serviceDeleted(state.name()));
                    }
                });
    }

    /** Reports slices that changed nothing, too, because any event of a slice retries an update that was given up. */
    static WatchedKind<EndpointSlice, EndpointSliceState> slices(Reduction reduction, List<ClusterListener> listeners) {
        return new WatchedKind<>(
                "EndpointSlice",
                "apis/discovery.k8s.io/v1/endpointslices?",
                EndpointSlice.class,
                1,
                reduction::slice,
                new KindListener<>() {
                    @Override
                    public void changed(EndpointSliceState state) {
                        listeners.forEach(listener -> listener.sliceChanged(state));
                    }

                    @Override
                    public void unchanged(EndpointSliceState state) {
                        changed(state);
                    }

                    @Override
                    public void deleted(EndpointSliceState state) {
                        listeners.forEach(listener -> listener.sliceDeleted(state));
                    }
                });
    }

    static WatchedKind<Node, NodeState> nodes(Reduction reduction, List<ClusterListener> listeners) {
        return new WatchedKind<>("Node", "api/v1/nodes?", Node.class, 4, reduction::node, new KindListener<>() {
            @Override
            public void changed(NodeState state) {
                listeners.forEach(listener -> listener.nodeChanged(state));
            }

            @Override
            public void deleted(NodeState state) {
                listeners.forEach(listener -> listener.nodeDeleted(state.name()));
            }

            @Override
            public void inStep(boolean now) {
                listeners.forEach(listener -> listener.nodesInStep(now));
            }
        });
    }

    /**
     * Parses one line of a watch. Kinds that are read as generic resources stay generic even if a class for them
     * exists, because that class could not hold content that breaks its schema.
     */
    WatchEvent event(KubernetesSerialization serialization, String line) {
        if (!type.equals(GenericKubernetesResource.class)) {
            return TypedEvents.read(type, line).orElseGet(() -> serialization.unmarshal(line, WatchEvent.class));
        }
        ObjectNode event = serialization.unmarshal(line, ObjectNode.class);
        JsonNode object = event.path("object");
        boolean isStatus = object.path("kind").asText().equals("Status")
                && object.path("apiVersion").asText().equals("v1");
        Class<? extends KubernetesResource> form = isStatus ? Status.class : GenericKubernetesResource.class;
        return new WatchEvent(
                serialization.convertValue(object, form), event.path("type").asText());
    }

    /**
     * The Pods that opted in to the readiness gate.
     *
     * @param namespace may be {@link PodScope#ALL}
     */
    static WatchedKind<Pod, PodState> pods(Reduction reduction, List<ClusterListener> listeners, String namespace) {
        boolean isAll = namespace.equals(PodScope.ALL);
        String place = isAll ? "" : "namespaces/" + namespace + "/";
        return new WatchedKind<>(
                isAll ? "Pod" : "Pod in " + namespace,
                "api/v1/" + place + "pods?labelSelector=" + URLEncoder.encode(LABELLED, StandardCharsets.UTF_8) + "&",
                Pod.class,
                4,
                reduction::pod,
                new KindListener<>() {
                    @Override
                    public void changed(PodState state) {
                        listeners.forEach(listener -> listener.podChanged(state));
                    }

                    @Override
                    public void deleted(PodState state) {
                        listeners.forEach(listener -> listener.podDeleted(state));
                    }
                });
    }
}
