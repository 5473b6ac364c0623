package dev.poolkeeper.fake.recording;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a Kubernetes object's JSON to the state that the updater needs. */
final class WatchedObject {

    private static final List<String> ADDRESS_TYPES = List.of("IPv4", "IPv6", "FQDN");

    private WatchedObject() {}

    /** The change made by adding, modifying or deleting this object. */
    static ClusterChange change(JsonObject object, boolean deleted) {
        String kind = object.requiredString("kind");
        JsonObject metadata = object.object("metadata");
        String name = metadata.requiredString("name");
        if (name.indexOf('/') >= 0) {
            metadata.fault("name", "found \"" + name + "\", must not contain a slash");
            return ClusterChange.NONE;
        }
        if (name.isEmpty() || !isOfGroup(object, kind)) {
            return ClusterChange.NONE;
        }
        return switch (kind) {
            case "Service" -> service(object, metadata, new ServiceName(namespace(metadata), name), deleted);
            case "EndpointSlice" -> slice(object, metadata, name, deleted);
            case "Node" -> node(object, metadata, name, deleted);
            default -> ClusterChange.NONE;
        };
    }

    /** Other API groups also have kinds with these names (Knative has a Service). */
    private static boolean isOfGroup(JsonObject object, String kind) {
        String apiVersion = object.optionalString("apiVersion");
        return apiVersion == null
                || (kind.equals("EndpointSlice")
                        ? apiVersion.startsWith("discovery.k8s.io/")
                        : apiVersion.equals("v1"));
    }

    private static String namespace(JsonObject metadata) {
        String namespace = metadata.optionalString("namespace");
        if (namespace == null || namespace.isBlank()) {
            return "default";
        }
        if (namespace.indexOf('/') >= 0) {
            metadata.fault("namespace", "found \"" + namespace + "\", must not contain a slash");
            return "default";
        }
        return namespace;
    }

    /** Reads annotations without faults, because none affects a replay. */
    private static Map<String, String> annotations(JsonObject metadata) {
        Map<String, String> annotations = new HashMap<>();
        for (Map.Entry<String, JsonNode> one :
                metadata.node().path("annotations").properties()) {
            annotations.put(one.getKey(), one.getValue().asText(""));
        }
        return annotations;
    }

    private static ClusterChange service(JsonObject object, JsonObject metadata, ServiceName name, boolean deleted) {
        JsonObject spec = object.object("spec");
        ServiceState state = new ServiceState(
                        name,
                        spec.optionalString("type"),
                        spec.optionalString("externalTrafficPolicy"),
                        spec.strings("ipFamilies"),
                        spec.optionalString("loadBalancerClass"),
                        createdAt(metadata),
                        Map.of())
                .withAnnotations(annotations(metadata));
        return deleted ? listener -> listener.serviceDeleted(name) : listener -> listener.serviceChanged(state);
    }

    private static @Nullable Instant createdAt(JsonObject metadata) {
        String text = metadata.optionalString("creationTimestamp");
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            metadata.fault("creationTimestamp", "found \"" + text + "\", must be a time such as 2026-11-25T21:00:00Z");
            return null;
        }
    }

    private static ClusterChange slice(JsonObject object, JsonObject metadata, String name, boolean deleted) {
        String namespace = namespace(metadata);
        String addressType = object.requiredString("addressType");
        if (!addressType.isEmpty() && !ADDRESS_TYPES.contains(addressType)) {
            object.fault(
                    "addressType", "found \"" + addressType + "\", must be one of " + String.join(", ", ADDRESS_TYPES));
        }
        List<String> nodeNames = new ArrayList<>();
        for (JsonObject endpoint : object.objects("endpoints")) {
            String nodeName = endpoint.optionalString("nodeName");
            if (nodeName != null && !nodeName.isBlank()) {
                nodeNames.add(nodeName);
            }
        }
        EndpointSliceState state =
                new EndpointSliceState(namespace, name, serviceOf(metadata, namespace), addressType, nodeNames);
        return deleted ? listener -> listener.sliceDeleted(state) : listener -> listener.sliceChanged(state);
    }

    private static @Nullable ServiceName serviceOf(JsonObject metadata, String namespace) {
        JsonObject labels = metadata.object("labels");
        String service = labels.optionalString(EndpointSliceState.SERVICE_NAME_LABEL);
        if (service == null || service.isBlank()) {
            return null;
        }
        if (service.indexOf('/') >= 0) {
            labels.fault(EndpointSliceState.SERVICE_NAME_LABEL, "found \"" + service + "\", must not contain a slash");
            return null;
        }
        return new ServiceName(namespace, service);
    }

    private static ClusterChange node(JsonObject object, JsonObject metadata, String name, boolean deleted) {
        JsonObject labels = metadata.object("labels");
        Map<String, String> excluding = new HashMap<>();
        for (String label : NodeState.LABELS_THAT_EXCLUDE) {
            String value = labels.optionalString(label);
            if (value != null) {
                excluding.put(label, value);
            }
        }
        List<String> internalIps = new ArrayList<>();
        for (JsonObject address : object.object("status").objects("addresses")) {
            String ip = address.optionalString("address");
            if (ip != null && "InternalIP".equals(address.optionalString("type"))) {
                internalIps.add(ip);
            }
        }
        NodeState state = new NodeState(name, excluding, internalIps);
        return deleted ? listener -> listener.nodeDeleted(name) : listener -> listener.nodeChanged(state);
    }
}
