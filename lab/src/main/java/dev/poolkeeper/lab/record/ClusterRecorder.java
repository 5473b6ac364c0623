package dev.poolkeeper.lab.record;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.JsonEscapes;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a cluster as a recording, line by line.
 *
 * <p>Only the fields that the updater uses are written: types, policies, families, labels that exclude nodes,
 * addresses, names. Everything else, including annotations, is omitted; changes of annotations are recorded as a
 * fingerprint. Thread-safe.
 */
public final class ClusterRecorder implements ClusterListener {

    /** Its value shows only whether a Service's annotations have changed. */
    static final String FINGERPRINT = "poolkeeper.dev/recorded-annotations";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectWriter WRITER = MAPPER.writer(new JsonEscapes());

    private final Writer out;
    private final Time time;
    private final long beganNanos;
    private final Set<String> seen = new HashSet<>();
    private long events;
    private @Nullable IOException failure;

    /** @param out receives complete lines, each flushed; the caller closes it */
    public ClusterRecorder(Writer out, Time time) {
        this.out = out;
        this.time = time;
        this.beganNanos = time.nanoTime();
    }

    /** The number of events written. */
    public synchronized long events() {
        return events;
    }

    /** Why an event could not be written, so that the recording is incomplete; empty if all were. */
    public synchronized Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void serviceChanged(ServiceState service) {
        ObjectNode object =
                object("Service", service.name().namespace(), service.name().name());
        ObjectNode annotations = MAPPER.createObjectNode();
        if (service.paused()) {
            annotations.put(ServiceState.PAUSED_ANNOTATION, "true");
        }
        if (service.annotationsFingerprint() != 0) {
            annotations.put(FINGERPRINT, Long.toHexString(service.annotationsFingerprint()));
        }
        if (!annotations.isEmpty()) {
            object.withObject("/metadata").set("annotations", annotations);
        }
        if (service.createdAt() != null) {
            object.withObject("/metadata")
                    .put("creationTimestamp", service.createdAt().toString());
        }
        ObjectNode spec = object.putObject("spec");
        putIfPresent(spec, "type", service.type());
        putIfPresent(spec, "externalTrafficPolicy", service.externalTrafficPolicy());
        putIfPresent(spec, "loadBalancerClass", service.loadBalancerClass());
        service.ipFamilies().forEach(spec.putArray("ipFamilies")::add);
        changed(object);
    }

    private static void putIfPresent(ObjectNode object, String field, @Nullable String value) {
        if (value != null) {
            object.put(field, value);
        }
    }

    @Override
    public void serviceDeleted(ServiceName service) {
        deleted(object("Service", service.namespace(), service.name()));
    }

    @Override
    public void sliceChanged(EndpointSliceState slice) {
        changed(object(slice));
    }

    @Override
    public void sliceDeleted(EndpointSliceState slice) {
        deleted(object(slice));
    }

    private static ObjectNode object(EndpointSliceState slice) {
        ObjectNode object = object("EndpointSlice", slice.namespace(), slice.name());
        ServiceName service = slice.service();
        if (service != null) {
            object.withObject("/metadata")
                    .putObject("labels")
                    .put(EndpointSliceState.SERVICE_NAME_LABEL, service.name());
        }
        object.put("addressType", slice.addressType());
        ArrayNode endpoints = object.putArray("endpoints");
        slice.nodeNames().forEach(node -> endpoints.addObject().put("nodeName", node));
        return object;
    }

    @Override
    public void nodeChanged(NodeState node) {
        ObjectNode object = object("Node", "", node.name());
        ObjectNode labels = object.withObject("/metadata").putObject("labels");
        NodeState.LABELS_THAT_EXCLUDE.stream()
                .filter(node.labels()::containsKey)
                .forEach(label -> labels.put(label, node.labels().get(label)));
        ArrayNode addresses = object.putObject("status").putArray("addresses");
        node.internalIps()
                .forEach(ip -> addresses.addObject().put("type", "InternalIP").put("address", ip));
        changed(object);
    }

    @Override
    public void nodeDeleted(String node) {
        deleted(object("Node", "", node));
    }

    private static ObjectNode object(String kind, String namespace, String name) {
        ObjectNode object = MAPPER.createObjectNode().put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    private static String key(ObjectNode object) {
        return object.path("kind").asText() + "/"
                + object.path("metadata").path("namespace").asText() + "/"
                + object.path("metadata").path("name").asText();
    }

    private synchronized void changed(ObjectNode object) {
        write(seen.add(key(object)) ? "ADDED" : "MODIFIED", object);
    }

    private synchronized void deleted(ObjectNode object) {
        seen.remove(key(object));
        write("DELETED", object);
    }

    private void write(String type, ObjectNode object) {
        if (failure != null) {
            return;
        }
        ObjectNode event = MAPPER.createObjectNode()
                .put("offsetMillis", (time.nanoTime() - beganNanos) / 1_000_000)
                .put("type", type);
        event.set("object", object);
        try {
            out.write(WRITER.writeValueAsString(event) + "\n");
            out.flush();
            events++;
        } catch (IOException e) {
            failure = e;
        }
    }
}
