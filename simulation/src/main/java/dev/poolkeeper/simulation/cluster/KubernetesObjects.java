package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Converts between the relevant state of an object and its JSON. Shares no code with the simulated daemon. */
public final class KubernetesObjects {

    /** The annotation that makes each write of an object another version of it. */
    static final String REVISION = "simulation/revision";

    private KubernetesObjects() {}

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** An object as written by a client, with its uid and version. */
    public static ObjectNode json(Sighting sighting) {
        ObjectNode result = object();
        ObjectNode metadata = object();
        String key = sighting.key();
        int slash = key.indexOf('/');
        metadata.put("name", key.substring(slash + 1));
        if (slash >= 0) {
            metadata.put("namespace", key.substring(0, slash));
        }
        metadata.put("uid", sighting.uid());
        metadata.put("resourceVersion", Long.toString(sighting.version()));
        switch (sighting.kind()) {
            case SERVICE -> service(result, metadata, sighting.service());
            case SLICE -> slice(result, metadata, sighting.slice());
            case NODE -> node(result, metadata, sighting.node());
        }
        return result;
    }

    private static void service(ObjectNode result, ObjectNode metadata, ServiceObject state) {
        result.put("apiVersion", "v1").put("kind", "Service");
        ObjectNode annotations = metadata.putObject("annotations");
        new TreeMap<>(state.annotations()).forEach(annotations::put); // in the same order in every JVM
        result.set("metadata", metadata);
        ObjectNode spec = result.putObject("spec");
        spec.put("type", state.type()).put("externalTrafficPolicy", state.externalTrafficPolicy());
        if (!state.loadBalancerClass().isEmpty()) {
            spec.put("loadBalancerClass", state.loadBalancerClass());
        }
        ArrayNode families = spec.putArray("ipFamilies");
        state.ipFamilies().forEach(families::add);
    }

    private static void slice(ObjectNode result, ObjectNode metadata, EndpointSliceState state) {
        result.put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
        if (state.service() != null) {
            metadata.putObject("labels")
                    .put(EndpointSliceState.SERVICE_NAME_LABEL, state.service().name());
        }
        result.set("metadata", metadata);
        result.put("addressType", state.addressType());
        ArrayNode endpoints = result.putArray("endpoints");
        Iterator<String> pods = state.podUids().stream().sorted().iterator();
        for (String node : state.nodeNames()) {
            ObjectNode endpoint = endpoints.addObject().put("nodeName", node);
            if ((node + endpoints.size()).hashCode() % 4 == 0) { // nodes count whatever the conditions are
                endpoint.putObject("conditions")
                        .put("ready", false)
                        .put("serving", false)
                        .put("terminating", true);
            }
            if (pods.hasNext()) {
                endpoint.putObject("targetRef").put("kind", "Pod").put("uid", pods.next());
            }
        }
    }

    private static void node(ObjectNode result, ObjectNode metadata, NodeState state) {
        result.put("apiVersion", "v1").put("kind", "Node");
        ObjectNode labels = metadata.putObject("labels");
        new TreeMap<>(state.labels()).forEach(labels::put);
        result.set("metadata", metadata);
        ArrayNode addresses = result.putObject("status").putArray("addresses");
        addresses.addObject().put("type", "Hostname").put("address", state.name());
        addresses.addObject().put("type", "ExternalIP").put("address", "203.0.113.7");
        state.internalIps()
                .forEach(address ->
                        addresses.addObject().put("type", "InternalIP").put("address", address));
    }

    /** An object as sent by the API server. */
    public static Sighting sighting(Kind kind, JsonNode json, boolean deleted) {
        JsonNode metadata = json.path("metadata");
        String name = metadata.path("name").asText();
        String namespace = metadata.path("namespace").asText("");
        return new Sighting(
                kind,
                namespace.isEmpty() ? name : namespace + "/" + name,
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asLong(),
                switch (kind) {
                    case SERVICE -> service(json, new ServiceName(namespace, name));
                    case SLICE -> slice(json, namespace, name);
                    case NODE -> node(json, name);
                },
                deleted);
    }

    private static ServiceObject service(JsonNode json, ServiceName name) {
        JsonNode spec = json.path("spec");
        Map<String, String> annotations = new HashMap<>();
        json.path("metadata").path("annotations").properties().forEach(one -> {
            if (!one.getKey().equals(REVISION)) {
                annotations.put(one.getKey(), one.getValue().asText());
            }
        });
        return new ServiceObject(
                name,
                spec.path("type").asText(),
                spec.path("externalTrafficPolicy").asText(),
                texts(spec.path("ipFamilies")),
                spec.path("loadBalancerClass").asText(""),
                annotations,
                json.path("metadata").path("creationTimestamp").asText(""));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static EndpointSliceState slice(JsonNode json, String namespace, String name) {
        String service = json.path("metadata")
                .path("labels")
                .path(EndpointSliceState.SERVICE_NAME_LABEL)
                .asText("");
        List<String> nodes = new ArrayList<>();
        Set<String> pods = new HashSet<>();
        json.path("endpoints").forEach(endpoint -> {
            String pod = endpoint.path("targetRef").path("uid").asText("");
            if (!pod.isEmpty()) {
                pods.add(pod);
            }
            String node = endpoint.path("nodeName").asText("");
            if (!node.isEmpty()) {
                nodes.add(node);
            }
        });
        return new EndpointSliceState(
                namespace,
                name,
                service.isEmpty() ? null : new ServiceName(namespace, service),
                json.path("addressType").asText(),
                nodes,
                pods);
    }

    private static NodeState node(JsonNode json, String name) {
        Map<String, String> labels = new HashMap<>();
        json.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        List<String> addresses = new ArrayList<>();
        json.path("status").path("addresses").forEach(address -> {
            if (address.path("type").asText().equals("InternalIP")) {
                addresses.add(address.path("address").asText());
            }
        });
        return new NodeState(name, labels, addresses);
    }
}
