package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.Json;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds the body of a PUT: the pool as it was read, without read-only fields and with other entries. Entries whose
 * address stays keep all their properties, including duplicates; new ones are named after their node. Unknown fields
 * are written back as they were read.
 */
final class PoolBody {

    private static final String PROPERTIES = "properties";
    private static final String NAME = "name";
    private static final String IP_ADDRESS = "ipAddress";
    private static final String VIRTUAL_NETWORK = "virtualNetwork";
    private static final String ENTRIES = "loadBalancerBackendAddresses";

    /** Source: the read-only fields of {@code BackendAddressPool} in Azure's REST specification. */
    private static final Set<String> READ_ONLY = inAnyCase("etag", "type");

    private static final Set<String> READ_ONLY_PROPERTIES = inAnyCase(
            "provisioningState",
            "backendIPConfigurations",
            "loadBalancingRules",
            "outboundRule",
            "outboundRules",
            "inboundNatRules");
    private static final Set<String> READ_ONLY_OF_ENTRY =
            inAnyCase("networkInterfaceIPConfiguration", "inboundNatRulesPortMapping");

    private final Function<IpAddress, Optional<String>> nodeNames;

    /** @param nodeNames finds the node of an address, if known */
    PoolBody(Function<IpAddress, Optional<String>> nodeNames) {
        this.nodeNames = nodeNames;
    }

    /** @param network the id of the virtual network to set if the pool has none */
    byte[] of(Map<?, ?> read, AddressSet wanted, Optional<String> network) {
        Map<String, Object> properties = without(READ_ONLY_PROPERTIES, map(read.get(PROPERTIES)));
        properties.put(ENTRIES, entries(list(properties.get(ENTRIES)), wanted));
        if (VirtualNetworks.id(properties.get(VIRTUAL_NETWORK)) == null) {
            network.ifPresent(id -> properties.put(VIRTUAL_NETWORK, Map.of("id", id)));
        }
        Map<String, Object> body = without(READ_ONLY, read);
        body.put(PROPERTIES, properties);
        return Json.bytes(body);
    }

    private List<Map<String, Object>> entries(List<?> read, AddressSet wanted) {
        List<Map<String, Object>> entries = new ArrayList<>();
        List<IpAddress> kept = new ArrayList<>();
        EntryNames names = new EntryNames();
        for (Object entry : read) {
            IpAddress address = IpAddress.of(String.valueOf(PoolReader.ipAddress(entry)));
            if (wanted.contains(address)) {
                Map<String, Object> copy = copy(map(entry));
                entries.add(copy);
                kept.add(address);
                names.taken(nameOf(copy));
            }
        }
        for (int i = 0; i < entries.size(); i++) {
            String name = nameOf(entries.get(i));
            if (name == null
                    || name.isBlank()) { // other writers leave entries unnamed, which some readers cannot handle
                entries.get(i).put(NAME, name(names, kept.get(i)));
            }
        }
        for (IpAddress address : wanted.minus(AddressSet.of(kept))) {
            entries.add(Map.of(NAME, name(names, address), PROPERTIES, Map.of(IP_ADDRESS, address.toString())));
        }
        return entries;
    }

    private static Map<String, Object> copy(Map<?, ?> entry) {
        Map<String, Object> copy = without(Set.of(), entry);
        copy.put(PROPERTIES, without(READ_ONLY_OF_ENTRY, map(entry.get(PROPERTIES))));
        return copy;
    }

    private static @Nullable String nameOf(Map<String, Object> entry) {
        return entry.get(NAME) instanceof String name ? name : null;
    }

    private String name(EntryNames names, IpAddress address) {
        return names.unique(nodeNames.apply(address), address);
    }

    private static Set<String> inAnyCase(String... names) {
        Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        fields.addAll(List.of(names));
        return fields;
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    /** A copy without these fields and without null fields, which ARM returns for unset values. */
    private static Map<String, Object> without(Set<String> fields, Map<?, ?> object) {
        Map<String, Object> copy = Json.fields();
        object.forEach((key, value) -> {
            String field = String.valueOf(key);
            if (value != null && !fields.contains(field)) {
                copy.put(field, value);
            }
        });
        return copy;
    }
}
