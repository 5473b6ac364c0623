package dev.poolkeeper.simulation.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.simulation.cluster.Sighting;

/** Changes of the cluster as the watch events that an API server would have sent: lines of a recording. */
final class WatchEvents {

    private WatchEvents() {}

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static String line(long offsetMillis, boolean first, Sighting change) {
        ObjectNode event = object();
        event.put("offsetMillis", offsetMillis);
        event.put("type", change.deleted() ? "DELETED" : first ? "ADDED" : "MODIFIED");
        event.set("object", kubernetes(change));
        return event.toString();
    }

    private static ObjectNode kubernetes(Sighting change) {
        ObjectNode result = object();
        ObjectNode metadata = object();
        int slash = change.key().indexOf('/');
        metadata.put("name", change.key().substring(slash + 1));
        if (slash >= 0) {
            metadata.put("namespace", change.key().substring(0, slash));
        }
        metadata.put("uid", change.uid());
        metadata.put("resourceVersion", Long.toString(change.version()));
        switch (change.kind()) {
            case SERVICE -> service(result, metadata, change.service());
            case SLICE -> slice(result, metadata, change.slice());
            case NODE -> node(result, metadata, change.node());
        }
        return result;
    }

    private static void service(ObjectNode result, ObjectNode metadata, ServiceState state) {
        result.put("apiVersion", "v1").put("kind", "Service");
        if (state.paused()) {
            metadata.putObject("annotations").put(ServiceState.PAUSED_ANNOTATION, "true");
        }
        result.set("metadata", metadata);
        ObjectNode spec = result.putObject("spec");
        spec.put("type", state.type()).put("externalTrafficPolicy", state.externalTrafficPolicy());
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
        state.nodeNames().forEach(name -> endpoints.addObject().put("nodeName", name));
    }

    private static void node(ObjectNode result, ObjectNode metadata, NodeState state) {
        result.put("apiVersion", "v1").put("kind", "Node");
        ObjectNode labels = metadata.putObject("labels");
        state.labels().forEach(labels::put);
        result.set("metadata", metadata);
        ArrayNode addresses = result.putObject("status").putArray("addresses");
        state.internalIps()
                .forEach(address ->
                        addresses.addObject().put("type", "InternalIP").put("address", address));
    }
}
