package dev.poolkeeper.app.cluster;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.util.List;
import java.util.stream.IntStream;

/** Local Services without a selector, whose endpoints the test sets. */
final class Endpoints {

    private final RealCluster cluster;

    Endpoints(RealCluster cluster) {
        this.cluster = cluster;
    }

    void addService(String name) {
        cluster.apply(new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.namespace())
                .endMetadata()
                .withNewSpec()
                .withType("LoadBalancer")
                .withExternalTrafficPolicy("Local")
                .addNewPort()
                .withPort(80)
                .withProtocol("TCP")
                .withTargetPort(new IntOrString(8080))
                .endPort()
                .endSpec()
                .build());
    }

    /** From now on the Service has one endpoint on each of these nodes. */
    void set(String service, List<String> nodes) {
        List<Endpoint> endpoints = IntStream.range(0, nodes.size())
                .mapToObj(i -> new EndpointBuilder()
                        .withAddresses("10.244.8." + (i + 1))
                        .withNodeName(nodes.get(i))
                        .build())
                .toList();
        cluster.apply(new EndpointSliceBuilder()
                .withNewMetadata()
                .withName(service + "-1")
                .withNamespace(cluster.namespace())
                .addToLabels("kubernetes.io/service-name", service)
                .addToLabels("endpointslice.kubernetes.io/managed-by", "poolkeeper-test")
                .endMetadata()
                .withAddressType("IPv4")
                .addNewPort()
                .withPort(8080)
                .withProtocol("TCP")
                .endPort()
                .withEndpoints(endpoints)
                .build());
    }
}
