package dev.poolkeeper.k8s.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ObjectJson;
import dev.poolkeeper.ports.ForeignText;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads which object it is that cannot be read as one of its kind. */
final class ObjectIdentity {

    private static final ObjectMapper JSON = ObjectJson.mapper();
    private static final Set<String> CHANGES = Set.of("ADDED", "MODIFIED", "DELETED");
    private static final int LONGEST_PATH = 200;

    /** A watch event about such an object. */
    record Event(String type, ObjectMeta metadata) {}

    private ObjectIdentity() {}

    /** Namespace, name, uid and version; empty without a name or a version. */
    static Optional<ObjectMeta> of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").textValue();
        String version = metadata.path("resourceVersion").textValue();
        return name == null || version == null || name.isEmpty() || version.isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectMetaBuilder()
                        .withNamespace(metadata.path("namespace").textValue())
                        .withName(name)
                        .withUid(metadata.path("uid").textValue())
                        .withResourceVersion(version)
                        .build());
    }

    /** Empty if the line is not an event about an object of this type. */
    static Optional<Event> ofEvent(String line, Class<? extends HasMetadata> type) {
        try {
            JsonNode event = JSON.readTree(line);
            JsonNode object = event.path("object");
            String what = event.path("type").asText();
            return CHANGES.contains(what) && isOf(type, object)
                    ? of(object).map(metadata -> new Event(what, metadata))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static boolean isOf(Class<? extends HasMetadata> type, JsonNode object) {
        String kind = object.path("kind").asText();
        return type.equals(GenericKubernetesResource.class)
                ? !kind.equals("Status")
                : kind.equals(HasMetadata.getKind(type));
    }

    /** The field because of which an object cannot be read, or another cause. */
    static String cause(Throwable why) {
        for (Throwable one = why; one != null; one = one.getCause()) {
            if (one instanceof JsonMappingException mapping
                    && !mapping.getPath().isEmpty()) {
                String path = mapping.getPath().stream()
                        .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                        .collect(Collectors.joining("."));
                return "not the form of " + ForeignText.line(path.substring(0, Math.min(path.length(), LONGEST_PATH)));
            }
        }
        return ApiFailure.cause(why);
    }
}
