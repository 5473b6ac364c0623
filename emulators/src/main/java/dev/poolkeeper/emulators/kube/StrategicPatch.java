package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/**
 * A strategic merge patch, which {@code kubectl} sends for the built-in kinds: like a merge patch, but some lists are
 * merged element by element, and {@code $patch} deletes or replaces. {@code $setElementOrder} is ignored.
 */
final class StrategicPatch implements Patch {

    /** The merge key of each list; every other list is replaced as a whole. */
    private static final Map<String, String> MERGE_KEYS = Map.of(
            "Service/spec/ports", "port",
            "Service/status/conditions", "type",
            "Pod/status/conditions", "type",
            "Node/status/addresses", "type",
            "Node/status/conditions", "type",
            "Namespace/status/conditions", "type");

    private static final String OWNERS = "/metadata/ownerReferences";
    private static final String FINALIZERS = "/metadata/finalizers";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

    private final KubeResource resource;
    private final ObjectNode patch;

    StrategicPatch(KubeResource resource, ObjectNode patch) {
        this.resource = resource;
        this.patch = patch;
    }

    @Override
    public ObjectNode applied(ObjectNode object) {
        return merged(object, patch, resource.kind());
    }

    @Override
    public String requiredVersion() {
        return KubeJson.resourceVersion(patch);
    }

    private ObjectNode merged(ObjectNode target, ObjectNode change, String path) {
        if (change.path("$patch").asText("").equals("replace")) {
            ObjectNode replaced = change.deepCopy();
            replaced.remove("$patch");
            return replaced;
        }
        ObjectNode result = target.deepCopy();
        for (Map.Entry<String, JsonNode> field : change.properties()) {
            String name = field.getKey();
            if (name.startsWith(DELETE_FROM)) {
                remove(result.path(name.substring(DELETE_FROM.length())), field.getValue());
            } else if (!name.startsWith("$")) {
                set(result, name, field.getValue(), path + "/" + name);
            }
        }
        return result;
    }

    private void set(ObjectNode result, String name, JsonNode value, String path) {
        if (value.isNull() || value.path("$patch").asText("").equals("delete")) {
            result.remove(name);
        } else if (value instanceof ObjectNode nested) {
            ObjectNode old = result.get(name) instanceof ObjectNode there ? there : KubeJson.object();
            result.set(name, merged(old, nested, path));
        } else if (value instanceof ArrayNode list) {
            ArrayNode old = result.get(name) instanceof ArrayNode there ? there : JsonNodeFactory.instance.arrayNode();
            result.set(name, list(old, list, path));
        } else {
            result.set(name, value);
        }
    }

    private ArrayNode list(ArrayNode old, ArrayNode change, String path) {
        Optional<String> key = path.endsWith(OWNERS) ? Optional.of("uid") : Optional.ofNullable(MERGE_KEYS.get(path));
        if (key.isPresent()) {
            return mergedByKey(old, change, key.get(), path);
        }
        if (!path.endsWith(FINALIZERS)) {
            return change.deepCopy();
        }
        ArrayNode result = old.deepCopy();
        change.forEach(element -> {
            if (indexOf(result, element) < 0) {
                result.add(element);
            }
        });
        return result;
    }

    private ArrayNode mergedByKey(ArrayNode old, ArrayNode change, String key, String path) {
        ArrayNode result = old.deepCopy();
        for (JsonNode element : change) {
            String how = element.path("$patch").asText("");
            if (how.equals("replace")) { // replaces the whole list with the other elements of the patch
                ArrayNode replaced = change.deepCopy();
                replaced.removeIf(one -> one.has("$patch"));
                return replaced;
            }
            int at = indexOf(result, key, element.path(key));
            if (how.equals("delete")) {
                if (at >= 0) {
                    result.remove(at);
                }
            } else if (at >= 0 && element instanceof ObjectNode nested && result.get(at) instanceof ObjectNode there) {
                result.set(at, merged(there, nested, path));
            } else {
                result.add(element);
            }
        }
        return result;
    }

    private static int indexOf(ArrayNode list, String key, JsonNode value) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).path(key).equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private static int indexOf(ArrayNode list, JsonNode value) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private static void remove(JsonNode list, JsonNode values) {
        if (list instanceof ArrayNode there) {
            there.removeIf(element -> values.valueStream().anyMatch(element::equals));
        }
    }
}
