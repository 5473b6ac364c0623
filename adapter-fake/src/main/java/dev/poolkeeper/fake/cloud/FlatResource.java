package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource as the Azure CLI prints it, without {@code properties}: {@code az network lb list} moves those fields up,
 * at every level. Here they move back.
 */
final class FlatResource {

    private static final String PROPERTIES = "properties";

    /** The fields beside {@code properties} of a load balancer and its parts; all others belong in it. */
    private static final Set<String> OUTSIDE = Set.of(
            "name",
            "id",
            "etag",
            "type",
            "location",
            "extendedLocation",
            "sku",
            "tags",
            "zones",
            "kind",
            "identity",
            "managedBy",
            "systemData",
            "resourceGroup"); // added by the CLI

    private FlatResource() {}

    /** Nests all fields of a load balancer, its pools, and their entries and configurations. */
    static void nestLoadBalancer(ObjectNode loadBalancer) {
        nest(loadBalancer);
        for (ObjectNode pool : objects(loadBalancer, "backendAddressPools")) {
            nest(pool);
            objects(pool, "loadBalancerBackendAddresses").forEach(FlatResource::nest);
            objects(pool, "backendIPConfigurations").forEach(FlatResource::nest);
        }
    }

    /** A field that is in {@code properties} already stays as it is. */
    private static void nest(ObjectNode resource) {
        List<Map.Entry<String, JsonNode>> flat = resource.properties().stream()
                .filter(field -> !field.getKey().equals(PROPERTIES) && !OUTSIDE.contains(field.getKey()))
                .map(Map.Entry::copyOf)
                .toList();
        if (flat.isEmpty() || !isObjectOrAbsent(resource.get(PROPERTIES))) {
            return;
        }
        ObjectNode properties = resource.withObjectProperty(PROPERTIES);
        flat.forEach(field -> {
            resource.remove(field.getKey());
            if (!properties.has(field.getKey())) {
                properties.set(field.getKey(), field.getValue());
            }
        });
    }

    private static boolean isObjectOrAbsent(@Nullable JsonNode properties) {
        return properties == null || properties.isNull() || properties.isObject();
    }

    private static List<ObjectNode> objects(ObjectNode resource, String field) {
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode element : resource.path(PROPERTIES).path(field)) {
            if (element instanceof ObjectNode object) {
                objects.add(object);
            }
        }
        return objects;
    }
}
