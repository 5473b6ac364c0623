package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.PoolEntry;
import dev.poolkeeper.fake.cloud.StoredPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pool as JSON: in responses and in PUT bodies. */
final class PoolDocument {

    static final String TYPE = "Microsoft.Network/loadBalancers/backendAddressPools";

    private static final String ADDRESSES = "loadBalancerBackendAddresses";

    /**
     * The fields that a PUT replaces; a field absent from the body is removed. All other fields of a pool are
     * read-only.
     */
    private static final Set<String> WRITABLE =
            Set.of("location", "tunnelInterfaces", ADDRESSES, "drainPeriodInSeconds", "virtualNetwork", "syncMode");

    /** The read-only fields of an address. */
    private static final Set<String> READ_ONLY_OF_ADDRESS =
            Set.of("networkInterfaceIPConfiguration", "inboundNatRulesPortMapping");

    private PoolDocument() {}

    static ObjectNode show(StoredPool pool, String id, String etag, String provisioningState) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        JsonNode properties = pool.rest().path("properties");
        shown.put("name", pool.key().pool().toString());
        shown.put("id", pool.rest().path("id").asText(id));
        shown.put("etag", etag);
        ObjectNode shownProperties = shown.putObject("properties");
        shownProperties.put("provisioningState", provisioningState);
        if (properties.isMissingNode()
                || properties.has(ADDRESSES)
                || !pool.entries().isEmpty()
                || properties.path("backendIPConfigurations").isEmpty()) {
            ArrayNode addresses = shownProperties.putArray(ADDRESSES);
            pool.entries().forEach(entry -> addresses.add(show(entry)));
        }
        shown.put("type", TYPE);
        ArmJson.addMissing(shownProperties, properties);
        ArmJson.addMissing(shown, pool.rest());
        return shown;
    }

    private static JsonNode show(PoolEntry entry) {
        if (entry.json() != null) {
            return entry.json();
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        String address = String.valueOf(entry.address());
        shown.put("name", address).putObject("properties").put("ipAddress", address);
        return shown;
    }

    /**
     * The pool from a PUT.
     *
     * @param existing the existing pool; null if new
     * @throws BadBody if the body is not a pool
     */
    static StoredPool read(PoolKey key, ObjectNode body, @Nullable StoredPool existing) throws BadBody {
        ObjectNode properties = ArmJson.object(body, "properties");
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        if (existing != null) {
            ArmJson.addMissing(kept, existing.rest());
        }
        ObjectNode keptProperties = JsonNodeFactory.instance.objectNode();
        kept.path("properties").properties().forEach(field -> {
            if (!WRITABLE.contains(field.getKey())) {
                keptProperties.set(field.getKey(), field.getValue());
            }
        });
        keptProperties.put("provisioningState", RememberedOperation.SUCCEEDED);
        for (String field : WRITABLE) {
            if (properties.hasNonNull(field)) {
                keptProperties.set(field, properties.get(field));
            }
        }
        keptProperties.putArray(ADDRESSES); // marks that it is shown even when empty; the entries are stored separately
        kept.set("properties", keptProperties);
        return StoredPool.of(existing == null ? key : existing.key(), entries(properties, existing), "", kept);
    }

    /** The same pool with another {@code provisioningState}, which it keeps until the next write. */
    static StoredPool withState(StoredPool pool, String provisioningState) {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        ObjectNode properties = rest.putObject("properties");
        properties.put("provisioningState", provisioningState);
        ArmJson.addMissing(properties, pool.rest().path("properties"));
        ArmJson.addMissing(rest, pool.rest());
        return StoredPool.of(pool.key(), pool.entries(), pool.etag(), rest);
    }

    private static List<PoolEntry> entries(ObjectNode properties, @Nullable StoredPool existing) throws BadBody {
        List<PoolEntry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ObjectNode entry : ArmJson.objects(properties, ADDRESSES)) {
            PoolEntry read = entry(entry, existing);
            String name = ArmJson.text(entry, "name");
            if (name != null && !names.add(name.toLowerCase(Locale.ROOT))) {
                throw new BadBody(Errors.error(
                        400, "InvalidResourceName", "Two backend addresses have the name '" + name + "'."));
            }
            entries.add(read);
        }
        return entries;
    }

    private static PoolEntry entry(ObjectNode entry, @Nullable StoredPool existing) throws BadBody {
        ObjectNode properties = ArmJson.object(entry, "properties");
        String text = ArmJson.text(properties, "ipAddress");
        IpAddress address = null;
        if (text != null && !text.isEmpty()) {
            address = IpAddress.parse(text)
                    .orElseThrow(() -> new BadBody(
                            Errors.error(400, "InvalidIPAddressFormat", "'" + text + "' is not a valid IP address.")));
        }
        String name = ArmJson.text(entry, "name");
        if (name == null) {
            entry.put("name", text == null ? "address" : text);
        } else if (existing != null) {
            keepReadOnly(properties, name, existing);
        }
        if (!properties.isEmpty()) {
            entry.set("properties", properties);
        }
        return new PoolEntry(address, entry);
    }

    private static void keepReadOnly(ObjectNode properties, String name, StoredPool existing) {
        for (PoolEntry old : existing.entries()) {
            if (old.json() != null
                    && name.equalsIgnoreCase(old.json().path("name").asText())) {
                JsonNode oldProperties = old.json().path("properties");
                for (String field : READ_ONLY_OF_ADDRESS) {
                    if (oldProperties.has(field)) {
                        properties.set(field, oldProperties.get(field));
                    }
                }
            }
        }
    }
}
