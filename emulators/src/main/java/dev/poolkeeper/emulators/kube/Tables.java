package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Objects and lists as {@code meta.k8s.io/v1} Tables, which {@code kubectl get} prints. Thread-safe. */
final class Tables {

    private final InstantSource clock;

    Tables(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param shown an object of the kind, or a list of them
     * @param query the query; {@code includeObject} selects the object in each row
     */
    ObjectNode of(KubeResource resource, ObjectNode shown, Map<String, String> query) {
        List<Column> columns = Columns.of(resource);
        ObjectNode table = KubeJson.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        boolean list = shown.path("items").isArray();
        ObjectNode metadata = table.putObject("metadata").put("resourceVersion", KubeJson.resourceVersion(shown));
        for (String field : list ? List.of("continue", "remainingItemCount") : List.<String>of()) {
            JsonNode value = shown.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        ArrayNode definitions = table.putArray("columnDefinitions");
        for (Column column : columns) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", "string")
                    .put("format", column.name().equals("Name") ? "name" : "")
                    .put("description", "")
                    .put("priority", column.wide() ? 1 : 0);
        }
        ArrayNode rows = table.putArray("rows");
        Instant now = clock.instant();
        for (JsonNode object : list ? shown.path("items") : List.of(shown)) {
            if (list || !KubeJson.name(object).isEmpty()) { // a bookmark has no row
                row(rows.addObject(), resource, columns, object, now, query.getOrDefault("includeObject", "Metadata"));
            }
        }
        return table;
    }

    private static void row(
            ObjectNode row, KubeResource resource, List<Column> columns, JsonNode object, Instant now, String include) {
        ArrayNode cells = row.putArray("cells");
        JsonNode printed = resource.equals(KubeResource.EVENTS) && object instanceof ObjectNode event
                ? EventVersions.shown(KubeResource.CORE_EVENTS, event)
                : object;
        columns.forEach(column -> cells.add(column.cell().apply(printed, now)));
        switch (include) {
            case "None" -> {}
            case "Object" -> row.set("object", object);
            default ->
                row.set(
                        "object",
                        KubeJson.object()
                                .put("kind", "PartialObjectMetadata")
                                .put("apiVersion", "meta.k8s.io/v1")
                                .set("metadata", object.path("metadata")));
        }
    }
}
