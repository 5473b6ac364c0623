package dev.poolkeeper.simulation.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.wire.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool as represented in the body of a request or response. Immutable.
 *
 * @param key identifies the pool
 * @param entries each address with the fields of its entry
 * @param names the names of its entries, in lower case
 * @param otherFields the writable fields of the pool besides its addresses
 * @param etag the version, null if the body contains none
 */
public record PoolImage(
        PoolKey key,
        Map<IpAddress, String> entries,
        List<String> names,
        String otherFields,
        @Nullable String etag) {

    static final String ENTRIES = "loadBalancerBackendAddresses";

    /** Fields set only by Azure. */
    private static final Set<String> READ_ONLY = Set.of(
            "etag",
            "type",
            "provisioningState",
            "backendIPConfigurations",
            "loadBalancingRules",
            "outboundRule",
            "outboundRules",
            "inboundNatRules",
            "networkInterfaceIPConfiguration",
            "inboundNatRulesPortMapping");

    public PoolImage {
        entries = Collections.unmodifiableMap(new TreeMap<>(entries));
        names = List.copyOf(names);
    }

    /** The pool in the body of a GET's response or of a PUT; empty if it is not a pool. */
    public static Optional<PoolImage> of(PoolKey key, byte[] body) {
        try {
            return Json.MAPPER.readTree(body) instanceof ObjectNode pool && isPool(pool)
                    ? Optional.of(image(key, pool))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The addresses of a pool in a listing; empty if it is not a pool. */
    public static Optional<AddressSet> addresses(JsonNode json) {
        if (!isPool(json)) {
            return Optional.empty();
        }
        List<IpAddress> addresses = new ArrayList<>();
        json.path("properties").path(ENTRIES).forEach(entry -> address(entry).ifPresent(addresses::add));
        return Optional.of(AddressSet.of(addresses));
    }

    private static boolean isPool(JsonNode json) {
        return json.path("properties").isObject();
    }

    private static Optional<IpAddress> address(JsonNode entry) {
        return IpAddress.parse(entry.path("properties").path("ipAddress").asText(""));
    }

    private static PoolImage image(PoolKey key, ObjectNode pool) {
        Map<IpAddress, String> entries = new TreeMap<>();
        List<String> names = new ArrayList<>();
        ObjectNode rest = pool.deepCopy();
        JsonNode removed = rest.path("properties") instanceof ObjectNode properties ? properties.remove(ENTRIES) : null;
        if (removed != null) {
            for (JsonNode entry : removed) {
                address(entry).ifPresent(address -> entries.put(address, canonical(entry)));
                names.add(entry.path("name").asText().toLowerCase(Locale.ROOT));
            }
        }
        return new PoolImage(
                key, entries, names, canonical(rest), pool.path("etag").textValue());
    }

    /** Equal for equal values, independent of the order of fields; omits read-only and null fields. */
    private static String canonical(JsonNode node) {
        if (node instanceof ObjectNode object) {
            Map<String, String> fields = new TreeMap<>();
            object.properties().forEach(field -> {
                if (!field.getValue().isNull() && !READ_ONLY.contains(field.getKey())) {
                    fields.put(field.getKey(), canonical(field.getValue()));
                }
            });
            return fields.toString();
        }
        return node.toString();
    }

    public AddressSet addresses() {
        return AddressSet.of(entries.keySet());
    }
}
