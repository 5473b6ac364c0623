package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** EndpointSlices as an informer would deliver them: with a separate string for every node name. */
final class SliceStates {

    /** Endpoints per slice, Kubernetes' default maximum. */
    static final int ENDPOINTS = 100;

    private SliceStates() {}

    static EndpointSliceState slice(ServiceName service, String name, int endpoints, IntUnaryOperator node) {
        List<String> nodeNames = IntStream.range(0, endpoints)
                .mapToObj(e -> Peer.nodeName(node.applyAsInt(e)))
                .toList();
        return new EndpointSliceState(service.namespace(), name, service, "IPv4", nodeNames);
    }
}
