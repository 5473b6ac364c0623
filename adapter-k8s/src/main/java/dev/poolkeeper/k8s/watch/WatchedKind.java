package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A kind of object that is watched, and what is kept of it.
 *
 * @param name the kind
 * @param path where all of its objects are, relative to the API server's address
 * @param type the class of its objects
 * @param pageShare which part of a page its objects get: 1 for whole pages, 4 for a quarter
 * @param list one page
 * @param reduce from an object to what is kept of it
 * @param changed reports a state
 * @param deleted reports that an object is gone, by the state it last had
 */
record WatchedKind<T extends HasMetadata, S>(
        String name,
        String path,
        Class<T> type,
        int pageShare,
        BiFunction<KubernetesClient, ListOptions, KubernetesResourceList<T>> list,
        Function<T, S> reduce,
        BiConsumer<ClusterListener, S> changed,
        BiConsumer<ClusterListener, S> deleted) {

    static WatchedKind<Service, ServiceState> services(Reduction reduction) {
        return new WatchedKind<>(
                "Service",
                "api/v1/services",
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
                "apis/discovery.k8s.io/v1/endpointslices",
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
                "api/v1/nodes",
                Node.class,
                4,
                (client, options) -> client.nodes().list(options),
                reduction::node,
                ClusterListener::nodeChanged,
                (listener, state) -> listener.nodeDeleted(state.name()));
    }
}
