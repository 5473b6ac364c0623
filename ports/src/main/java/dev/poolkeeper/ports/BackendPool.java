package dev.poolkeeper.ports;

import org.jspecify.annotations.Nullable;

/**
 * A backend address pool as it was read or written.
 *
 * @param key the pool's key, in ARM's spelling
 * @param addresses the addresses it holds, in ARM's spelling
 * @param etag the version that was read, in the form in which the adapter sends it back; null if there is none
 * @param source what the adapter needs to write the pool back without losing properties; opaque to all other code
 */
public record BackendPool(
        PoolKey key,
        AddressSet addresses,
        @Nullable String etag,
        @Nullable Object source) {}
