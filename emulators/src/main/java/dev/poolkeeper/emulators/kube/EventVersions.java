package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Stores Events in the form of {@code events.k8s.io/v1} and also serves them in that of {@code v1}. */
final class EventVersions {

    private static final Map<String, String> CORE_NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedCount", "count",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp");

    private EventVersions() {}

    /** The object in the form of this resource; other kinds unchanged. */
    static ObjectNode shown(KubeResource resource, ObjectNode stored) {
        return resource.equals(KubeResource.CORE_EVENTS) ? renamed(stored, true, resource) : stored;
    }

    /** The object in its stored form. */
    static ObjectNode stored(KubeResource resource, ObjectNode shown) {
        return resource.equals(KubeResource.CORE_EVENTS) ? renamed(shown, false, KubeResource.EVENTS) : shown;
    }

    private static ObjectNode renamed(ObjectNode from, boolean toCore, KubeResource as) {
        ObjectNode to = KubeJson.object();
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            to.set(field.getKey(), field.getValue());
        }
        CORE_NAMES.forEach((newName, coreName) -> {
            JsonNode value = to.remove(toCore ? newName : coreName);
            if (value != null) {
                to.set(toCore ? coreName : newName, value);
            }
        });
        return to.put("apiVersion", as.apiVersion());
    }
}
