package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a recorded watch stream (JSON lines with {@code offsetMillis}, {@code type} and {@code object}) into an API
 * server, one event at a time; the caller controls the timing. Objects of kinds that are not served are skipped. Not
 * thread-safe.
 */
public final class RecordingFeed implements AutoCloseable {

    private final KubeApi api;
    private final MappingIterator<JsonNode> lines;
    private @Nullable JsonNode next;

    /** @param recording a checked recording; closed together with this object */
    public RecordingFeed(KubeApi api, InputStream recording) throws IOException {
        this.api = api;
        this.lines = KubeJson.MAPPER.readerFor(JsonNode.class).readValues(recording);
        advance();
    }

    private void advance() throws IOException {
        next = lines.hasNextValue() ? lines.nextValue() : null;
    }

    /** The time of the next event, in milliseconds since the start of the recording; -1 after the last one. */
    public long nextOffsetMillis() {
        JsonNode event = next;
        return event == null ? -1 : event.path("offsetMillis").asLong();
    }

    /**
     * Plays the next event.
     *
     * @return false after the last one
     */
    public boolean playNext() throws IOException {
        JsonNode event = next;
        if (event == null) {
            return false;
        }
        if (event.get("object") instanceof ObjectNode object) {
            play(event.path("type").asText(""), object.deepCopy());
        }
        advance();
        return true;
    }

    private void play(String type, ObjectNode object) {
        String kind = object.path("kind").asText("");
        KubeResource resource = KubeResource.KEPT.stream()
                .filter(one -> one.kind().equals(kind)
                        && isOf(one, object.path("apiVersion").asText("")))
                .findFirst()
                .orElse(null);
        if (resource == null || type.equals("BOOKMARK")) {
            return;
        }
        object.put("apiVersion", resource.apiVersion());
        ObjectNode metadata = object.withObject("/metadata");
        metadata.remove("resourceVersion");
        if (resource.namespaced() && KubeJson.namespace(object).isEmpty()) {
            metadata.put("namespace", "default");
        }
        if (type.equals("DELETED")) {
            api.delete(resource, KubeJson.namespace(object), KubeJson.name(object));
        } else {
            api.apply(object);
        }
    }

    /** Whether the version matches; recordings may omit it. */
    private static boolean isOf(KubeResource resource, String apiVersion) {
        return apiVersion.isEmpty() || resource.apiVersion().equals(apiVersion);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
