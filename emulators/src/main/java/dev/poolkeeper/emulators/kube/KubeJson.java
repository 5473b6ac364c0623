package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Utilities for the JSON of Kubernetes objects. */
final class KubeJson {

    static final ObjectMapper MAPPER = new ObjectMapper();

    private KubeJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText("");
    }

    static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("");
    }

    static String resourceVersion(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText("");
    }

    /** The target with a merge patch (RFC 7386) applied; the target itself is not modified. */
    static ObjectNode merged(ObjectNode target, ObjectNode patch) {
        ObjectNode result = target.deepCopy();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode nested) {
                ObjectNode old = result.get(field.getKey()) instanceof ObjectNode there ? there : object();
                result.set(field.getKey(), merged(old, nested));
            } else {
                result.set(field.getKey(), field.getValue());
            }
        }
        return result;
    }
}
