package dev.poolkeeper.ports;

import org.jspecify.annotations.Nullable;

/**
 * A backend address pool as it was read or written.
 *
 * @param key where it is, in the spelling found there
 * @param addresses what it holds, in the spelling found there
 * @param etag the version that was read, as the adapter writes it back; null where there is none
 * @param source what else the adapter needs in order to write the pool back without losing anything; of no meaning to
 *     anybody else
 */
public record BackendPool(
        PoolKey key,
        AddressSet addresses,
        @Nullable String etag,
        @Nullable Object source) {}
