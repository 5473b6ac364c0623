package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Unwritable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A pool stored in the cloud. Immutable: a write creates another one; its JSON must not be modified.
 *
 * @param key its key, in the inventory's spelling
 * @param entries its entries
 * @param addresses the addresses of the entries
 * @param etag its version
 * @param rest the rest of its JSON from ARM
 */
public record StoredPool(PoolKey key, List<PoolEntry> entries, AddressSet addresses, String etag, ObjectNode rest) {

    /** A pool whose addresses are those of its entries. */
    public static StoredPool of(PoolKey key, List<PoolEntry> entries, String etag, ObjectNode rest) {
        List<IpAddress> addresses = new ArrayList<>(entries.size());
        for (PoolEntry entry : entries) {
            if (entry.address() != null) {
                addresses.add(Objects.requireNonNull(entry.address()));
            }
        }
        return new StoredPool(key, List.copyOf(entries), AddressSet.of(addresses), etag, rest);
    }

    public StoredPool withEtag(String newEtag) {
        return new StoredPool(key, entries, addresses, newEtag, rest);
    }

    /**
     * Why the pool must not be written; empty if it may be. The same conditions as on Azure Resource Manager, where
     * {@code AzurePools} finds them.
     */
    Optional<Unwritable> unwritable() {
        JsonNode properties = rest.path("properties");
        JsonNode configurations = properties.path("backendIPConfigurations");
        for (JsonNode configuration : configurations) {
            if (configuration.path("properties").hasNonNull("privateLinkConnectionProperties")) {
                return Optional.of(Unwritable.PRIVATE_LINK);
            }
        }
        List<PoolEntry> unaddressed =
                entries.stream().filter(entry -> entry.address() == null).toList();
        if (unaddressed.stream().anyMatch(StoredPool::isFrontend)) {
            return Optional.of(Unwritable.CROSS_REGION);
        }
        if (!unaddressed.isEmpty() || entries.isEmpty() && !configurations.isEmpty()) {
            return Optional.of(Unwritable.NETWORK_INTERFACES);
        }
        return properties.path("syncMode").asText().equalsIgnoreCase("Automatic")
                ? Optional.of(Unwritable.AUTOMATIC)
                : Optional.empty();
    }

    private static boolean isFrontend(PoolEntry entry) {
        ObjectNode json = entry.json();
        return json != null && json.path("properties").hasNonNull("loadBalancerFrontendIPConfiguration");
    }

    /**
     * This pool with exactly these addresses: entries whose address stays are kept unchanged, the others are removed,
     * and new ones are added.
     */
    StoredPool holding(AddressSet wanted) {
        List<PoolEntry> kept = new ArrayList<>(wanted.size());
        for (PoolEntry entry : entries) {
            if (entry.address() == null || wanted.contains(entry.address())) {
                kept.add(entry);
            }
        }
        for (IpAddress address : wanted.minus(addresses)) {
            kept.add(new PoolEntry(address, null));
        }
        return of(key, kept, etag, rest);
    }

    /** The addresses in the pool's spelling, one per entry. */
    List<String> spelledAddresses() {
        return entries.stream()
                .map(PoolEntry::address)
                .filter(Objects::nonNull)
                .map(Objects::toString)
                .toList();
    }
}
