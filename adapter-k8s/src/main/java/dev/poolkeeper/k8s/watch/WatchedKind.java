package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A kind of object that is watched, and what is kept of it.
 *
 * @param name the kind
 * @param watch how a request to watch begins, relative to the API server's address: path and selector, so that a
 *     parameter can follow
 * @param type the class of its objects
 * @param pageShare which part of a page its objects get: 1 for whole pages, 4 for a quarter
 * @param list one page
 * @param reduce from an object to what is kept of it
 * @param changed reports a state
 * @param deleted reports that an object is gone, by the state it last had
 */
record WatchedKind<T extends HasMetadata, S>(
        String name,
        String watch,
        Class<T> type,
        int pageShare,
        BiFunction<KubernetesClient, ListOptions, KubernetesResourceList<T>> list,
        Function<T, S> reduce,
        BiConsumer<ClusterListener, S> changed,
        BiConsumer<ClusterListener, S> deleted) {

    private static final String LABELLED = PodState.LABEL + "=true";

    static WatchedKind<Service, ServiceState> services(Reduction reduction) {
        return new WatchedKind<>(
                "Service",
                "api/v1/services?",
                Service.class,
                1,
                (client, options) -> client.services().inAnyNamespace().list(options),
                reduction::service,
                ClusterListener::serviceChanged,
                (listener, state) -> listener.serviceDeleted(state.name()));
    }

    static WatchedKind<EndpointSlice, EndpointSliceState> slices(Reduction reduction) {
        return new WatchedKind<>(
                "EndpointSlice",
                "apis/discovery.k8s.io/v1/endpointslices?",
                EndpointSlice.class,
                1,
                (client, options) -> client.discovery()
                        .v1()
                        .endpointSlices()
                        .inAnyNamespace()
                        .list(options),
                reduction::slice,
                ClusterListener::sliceChanged,
                ClusterListener::sliceDeleted);
    }

    static WatchedKind<Node, NodeState> nodes(Reduction reduction) {
        return new WatchedKind<>(
                "Node",
                "api/v1/nodes?",
                Node.class,
                4,
                (client, options) -> client.nodes().list(options),
                reduction::node,
                ClusterListener::nodeChanged,
                (listener, state) -> listener.nodeDeleted(state.name()));
    }

    /** The Pods that opted in to the readiness gate, in all namespaces. */
    static WatchedKind<Pod, PodState> pods(Reduction reduction) {
        return pods(reduction, "Pod", "", client -> client.pods().inAnyNamespace());
    }

    /** Those of one namespace. */
    static WatchedKind<Pod, PodState> pods(Reduction reduction, String namespace) {
        return pods(
                reduction,
                "Pod in " + namespace,
                "namespaces/" + namespace + "/",
                client -> client.pods().inNamespace(namespace));
    }

    private static WatchedKind<Pod, PodState> pods(
            Reduction reduction,
            String name,
            String place,
            Function<KubernetesClient, AnyNamespaceOperation<Pod, PodList, PodResource>> scope) {
        return new WatchedKind<>(
                name,
                "api/v1/" + place + "pods?labelSelector=" + URLEncoder.encode(LABELLED, StandardCharsets.UTF_8) + "&",
                Pod.class,
                4,
                (client, options) -> {
                    options.setLabelSelector(LABELLED);
                    return scope.apply(client).list(options);
                },
                reduction::pod,
                ClusterListener::podChanged,
                ClusterListener::podDeleted);
    }
}
