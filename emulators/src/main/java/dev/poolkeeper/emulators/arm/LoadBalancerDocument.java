package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.ports.ArmName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A load balancer as JSON: in responses and in PUT bodies. */
final class LoadBalancerDocument {

    static final String TYPE = "Microsoft.Network/loadBalancers";
    static final String POOLS = "backendAddressPools";

    private static final List<String> CHILDREN = List.of(
            "frontendIPConfigurations",
            "loadBalancingRules",
            "probes",
            "inboundNatRules",
            "outboundRules",
            "inboundNatPools");

    /** Fields for which a body may contain the whole resource; only the reference is kept. */
    private static final Set<String> REFERENCES =
            Set.of("publicIPAddress", "publicIPPrefix", "subnet", "gatewayLoadBalancer");

    private LoadBalancerDocument() {}

    static ObjectNode show(
            StoredLoadBalancer loadBalancer, ArrayNode pools, String id, @Nullable String etagOfAll, String state) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        JsonNode json = loadBalancer.json();
        shown.put("name", loadBalancer.name().toString());
        shown.put("id", json.path("id").asText(id));
        shown.put("etag", loadBalancer.etag());
        shown.put("type", TYPE);
        if (json.has("location")) {
            shown.set("location", json.get("location"));
        }
        ObjectNode properties = shown.putObject("properties");
        properties.put("provisioningState", state);
        json.path("properties").properties().forEach(field -> {
            if (field.getKey().equals(POOLS)) {
                properties.set(POOLS, pools);
            } else if (etagOfAll != null && CHILDREN.contains(field.getKey())) {
                properties.set(field.getKey(), withEtag(field.getValue(), etagOfAll));
            }
        });
        properties.set(POOLS, pools);
        ArmJson.addMissing(properties, json.path("properties"));
        ArmJson.addMissing(shown, json);
        return shown;
    }

    private static JsonNode withEtag(JsonNode children, String etag) {
        ArrayNode shown = JsonNodeFactory.instance.arrayNode();
        for (JsonNode child : children) {
            if (child instanceof ObjectNode object && object.has("etag")) {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                copy.setAll(object);
                copy.put("etag", etag);
                shown.add(copy);
            } else {
                shown.add(child);
            }
        }
        return shown;
    }

    /**
     * The load balancer from a PUT, without its pools.
     *
     * @param existing the existing one; null if new
     * @param resourceGuid its {@code resourceGuid} if new
     * @throws BadBody if the body is not a load balancer
     */
    static StoredLoadBalancer read(
            ArmName name, String id, ObjectNode body, @Nullable StoredLoadBalancer existing, String resourceGuid)
            throws BadBody {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        String location = ArmJson.text(body, "location");
        if (location == null) {
            throw new BadBody(
                    Errors.gateway(400, "LocationRequired", "The location property is required for this definition."));
        }
        ObjectNode properties = ArmJson.object(body, "properties");
        JsonNode old = existing == null ? JsonNodeFactory.instance.objectNode() : existing.json();
        made.put("name", name.toString()).put("id", old.path("id").asText(id));
        made.put("etag", "").put("type", TYPE).put("location", location);
        ObjectNode madeProperties = made.putObject("properties");
        madeProperties.put("provisioningState", RememberedOperation.SUCCEEDED);
        madeProperties.put(
                "resourceGuid", old.path("properties").path("resourceGuid").asText(resourceGuid));
        for (String children : CHILDREN) {
            madeProperties.set(
                    children, children(properties, children, made.path("id").asText()));
            if (children.equals(CHILDREN.getFirst())) {
                madeProperties.putArray(POOLS); // in Azure's order of properties
            }
        }
        ArmJson.addMissing(madeProperties, properties);
        ObjectNode sku = ArmJson.object(body, "sku");
        if (!sku.isEmpty() && !sku.has("tier")) {
            sku.put("tier", "Regional");
        }
        if (!sku.isEmpty()) {
            made.set("sku", sku);
        }
        ArmJson.addMissing(made, body);
        return new StoredLoadBalancer(existing == null ? name : existing.name(), "", made);
    }

    private static ArrayNode children(ObjectNode properties, String field, String loadBalancerId) throws BadBody {
        ArrayNode made = JsonNodeFactory.instance.arrayNode();
        for (ObjectNode child : ArmJson.objects(properties, field)) {
            String name = ArmJson.text(child, "name");
            if (name == null || name.isBlank()) {
                throw new BadBody(
                        Errors.error(400, "InvalidRequestFormat", "An element of '" + field + "' has no name."));
            }
            ObjectNode shown = made.addObject();
            shown.put("name", name).put("id", loadBalancerId + "/" + field + "/" + name);
            shown.put("etag", "").put("type", TYPE + "/" + field);
            ObjectNode shownProperties = shown.putObject("properties");
            shownProperties.put("provisioningState", RememberedOperation.SUCCEEDED);
            if (field.equals(CHILDREN.getFirst())) {
                shownProperties.put("privateIPAllocationMethod", "Dynamic");
            }
            shownProperties.setAll(references(ArmJson.object(child, "properties")));
            shownProperties.put("provisioningState", RememberedOperation.SUCCEEDED);
            ArmJson.addMissing(shown, child);
        }
        return made;
    }

    private static ObjectNode references(ObjectNode properties) {
        for (String field : REFERENCES) {
            if (properties.path(field).has("id")) {
                JsonNode id = properties.get(field).get("id");
                properties.putObject(field).set("id", id);
            }
        }
        return properties;
    }
}
