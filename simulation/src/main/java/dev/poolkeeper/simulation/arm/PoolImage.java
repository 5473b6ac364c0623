package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import java.util.Map;

/**
 * A pool as it is at ARM, or as somebody wants it to be. Immutable.
 *
 * @param key where it is
 * @param entries each address with what else its entry says
 * @param otherFields what the pool says beside its addresses
 * @param etag the version
 */
public record PoolImage(PoolKey key, Map<IpAddress, String> entries, String otherFields, String etag) {

    public PoolImage {
        entries = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(entries));
    }

    public AddressSet addresses() {
        return AddressSet.of(entries.keySet());
    }
}
