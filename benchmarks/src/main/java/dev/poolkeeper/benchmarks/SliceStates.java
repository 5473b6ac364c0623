package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** EndpointSlices as an informer hands them over: every node's name a text of its own. */
final class SliceStates {

    /** Endpoints of one slice, as many as Kubernetes puts into one by default. */
    static final int ENDPOINTS = 100;

    private SliceStates() {}

    static EndpointSliceState slice(ServiceName service, String name, int endpoints, IntUnaryOperator node) {
        List<String> nodeNames = IntStream.range(0, endpoints)
                .mapToObj(e -> Peer.nodeName(node.applyAsInt(e)))
                .toList();
        return new EndpointSliceState(service.namespace(), name, service, "IPv4", nodeNames);
    }
}
