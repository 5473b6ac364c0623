package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * From an object of the API server to the few fields that are kept of it. Strings that many objects share (names of
 * nodes and namespaces) are kept once. Thread-safe.
 */
final class Reduction {

    /** More shared strings than a cluster has nodes and namespaces; beyond it each keeps its own. */
    private static final int MOST_SHARED = 100_000;

    private final Map<String, String> shared = new ConcurrentHashMap<>();

    ServiceState service(Service service) {
        ServiceSpec spec = service.getSpec() == null ? new ServiceSpec() : service.getSpec();
        ObjectMeta metadata = service.getMetadata();
        Map<String, String> annotations = metadata.getAnnotations();
        return new ServiceState(
                        new ServiceName(once(metadata.getNamespace()), metadata.getName()),
                        onceOrNull(spec.getType()),
                        onceOrNull(spec.getExternalTrafficPolicy()),
                        all(spec.getIpFamilies()))
                .withAnnotations(annotations == null ? Map.of() : annotations);
    }

    EndpointSliceState slice(EndpointSlice slice) {
        ObjectMeta metadata = slice.getMetadata();
        String namespace = once(metadata.getNamespace());
        List<String> nodeNames = new ArrayList<>();
        for (Endpoint endpoint : slice.getEndpoints() == null ? List.<Endpoint>of() : slice.getEndpoints()) {
            String nodeName = endpoint.getNodeName();
            if (nodeName != null && !nodeName.isBlank()) {
                nodeNames.add(once(nodeName));
            }
        }
        String addressType = slice.getAddressType() == null ? "" : once(slice.getAddressType());
        return new EndpointSliceState(
                namespace, metadata.getName(), serviceOf(metadata, namespace), addressType, nodeNames);
    }

    private static @Nullable ServiceName serviceOf(ObjectMeta metadata, String namespace) {
        Map<String, String> labels = metadata.getLabels();
        String service = labels == null ? null : labels.get(EndpointSliceState.SERVICE_NAME_LABEL);
        return service == null || service.isBlank() ? null : new ServiceName(namespace, service);
    }

    NodeState node(Node node) {
        ObjectMeta metadata = node.getMetadata();
        Map<String, String> excluding = new HashMap<>();
        Map<String, String> labels = metadata.getLabels() == null ? Map.of() : metadata.getLabels();
        for (String label : NodeState.LABELS_THAT_EXCLUDE) {
            String value = labels.get(label);
            if (value != null) {
                excluding.put(label, value);
            }
        }
        List<String> internalIps = new ArrayList<>();
        List<NodeAddress> addresses =
                node.getStatus() == null || node.getStatus().getAddresses() == null
                        ? List.of()
                        : node.getStatus().getAddresses();
        for (NodeAddress address : addresses) {
            if ("InternalIP".equals(address.getType()) && address.getAddress() != null) {
                internalIps.add(address.getAddress());
            }
        }
        return new NodeState(once(metadata.getName()), excluding, internalIps);
    }

    private List<String> all(@Nullable List<String> texts) {
        return texts == null ? List.of() : texts.stream().map(this::once).toList();
    }

    private @Nullable String onceOrNull(@Nullable String text) {
        return text == null ? null : once(text);
    }

    private String once(String text) {
        String known = shared.get(text);
        if (known != null) {
            return known;
        }
        if (shared.size() < MOST_SHARED) {
            shared.put(text, text);
        }
        return text;
    }
}
