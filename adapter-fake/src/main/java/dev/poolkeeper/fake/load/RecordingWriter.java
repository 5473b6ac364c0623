package dev.poolkeeper.fake.load;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/** Writes events as a recording that replay reads: JSON lines, one watch event each. Keeps no event in memory. */
public final class RecordingWriter implements Consumer<LoadEvent>, Closeable {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final JsonGenerator json;
    private long written;

    /** @throws UncheckedIOException if the stream cannot be written */
    public RecordingWriter(OutputStream out) {
        try {
            json = MAPPER.createGenerator(out).setRootValueSeparator(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of events written. */
    public long written() {
        return written;
    }

    @Override
    public void accept(LoadEvent event) {
        try {
            json.writeStartObject();
            json.writeNumberField("offsetMillis", event.offsetMillis());
            json.writeStringField("type", event.type().name());
            json.writeObjectFieldStart("object");
            switch (event) {
                case LoadEvent.OfService service -> service(service.state());
                case LoadEvent.OfSlice slice -> slice(slice.state());
                case LoadEvent.OfNode node -> node(node.state(), node.zone());
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeRaw('\n');
            written++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void service(ServiceState state) throws IOException {
        json.writeStringField("apiVersion", "v1");
        json.writeStringField("kind", "Service");
        metadata(state.name());
        json.writeEndObject();
        json.writeObjectFieldStart("spec");
        json.writeStringField("type", state.type());
        json.writeStringField("externalTrafficPolicy", state.externalTrafficPolicy());
        strings("ipFamilies", state.ipFamilies());
        json.writeEndObject();
    }

    private void slice(EndpointSliceState state) throws IOException {
        json.writeStringField("apiVersion", "discovery.k8s.io/v1");
        json.writeStringField("kind", "EndpointSlice");
        metadata(new ServiceName(state.namespace(), state.name()));
        ServiceName service = state.service();
        if (service != null) {
            json.writeObjectFieldStart("labels");
            json.writeStringField(EndpointSliceState.SERVICE_NAME_LABEL, service.name());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeStringField("addressType", state.addressType());
        json.writeArrayFieldStart("endpoints");
        for (String nodeName : state.nodeNames()) {
            json.writeStartObject();
            json.writeStringField("nodeName", nodeName);
            json.writeObjectFieldStart("conditions");
            json.writeBooleanField("ready", true);
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void node(NodeState state, int zone) throws IOException {
        json.writeStringField("apiVersion", "v1");
        json.writeStringField("kind", "Node");
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", state.name());
        json.writeObjectFieldStart("labels");
        json.writeStringField("topology.kubernetes.io/zone", "zone-" + (zone + 1));
        json.writeEndObject();
        json.writeEndObject();
        json.writeObjectFieldStart("status");
        json.writeArrayFieldStart("addresses");
        for (String address : state.internalIps()) {
            json.writeStartObject();
            json.writeStringField("type", "InternalIP");
            json.writeStringField("address", address);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Writes the metadata and leaves the JSON object open. */
    private void metadata(ServiceName name) throws IOException {
        json.writeObjectFieldStart("metadata");
        json.writeStringField("namespace", name.namespace());
        json.writeStringField("name", name.name());
    }

    private void strings(String field, List<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** Flushes and closes the stream. */
    @Override
    public void close() throws IOException {
        json.close();
    }
}
