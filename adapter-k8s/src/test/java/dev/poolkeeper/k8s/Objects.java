package dev.poolkeeper.k8s;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.util.ArrayList;
import java.util.List;

/** Converts the states reported to a listener to objects of the API server. */
public final class Objects {

    private Objects() {}

    public static Service service(ServiceState state) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(state.name().namespace())
                .withName(state.name().name())
                .endMetadata()
                .withNewSpec()
                .withType(state.type())
                .withLoadBalancerClass(state.loadBalancerClass())
                .withExternalTrafficPolicy(state.externalTrafficPolicy())
                .withIpFamilies(state.ipFamilies())
                .withPorts(new ServicePortBuilder().withPort(80).build())
                .endSpec()
                .build();
    }

    public static Service service(String namespace, String name) {
        return service(new ServiceState(new ServiceName(namespace, name), "LoadBalancer", "Local", List.of("IPv4")));
    }

    public static EndpointSlice slice(EndpointSliceState state) {
        List<Endpoint> endpoints = new ArrayList<>();
        int at = 1;
        for (String node : state.nodeNames()) {
            endpoints.add(new EndpointBuilder()
                    .withAddresses("10.0.0." + at++)
                    .withNodeName(node)
                    .build());
        }
        EndpointSliceBuilder builder = new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace(state.namespace())
                .withName(state.name())
                .endMetadata()
                .withAddressType(state.addressType())
                .withEndpoints(endpoints);
        if (state.service() != null) {
            builder.editMetadata()
                    .addToLabels(
                            EndpointSliceState.SERVICE_NAME_LABEL,
                            state.service().name())
                    .endMetadata();
        }
        return builder.build();
    }

    public static Node node(NodeState state) {
        NodeBuilder builder = new NodeBuilder()
                .withNewMetadata()
                .withName(state.name())
                .addToLabels(state.labels())
                .endMetadata()
                .withNewStatus()
                .endStatus();
        for (String ip : state.internalIps()) {
            builder.editStatus()
                    .addNewAddress()
                    .withType("InternalIP")
                    .withAddress(ip)
                    .endAddress()
                    .endStatus();
        }
        return builder.build();
    }
}
