package dev.poolkeeper.ports;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A backend address pool as it was read, listed or written.
 *
 * @param key the pool's key, in ARM's spelling
 * @param addresses the addresses it holds, in ARM's spelling
 * @param etag the version that was read, in the form in which the adapter sends it back; null if there is none
 * @param source what the adapter needs to write the pool back without losing properties; opaque to all other code
 * @param provisioning the state of the last operation on it
 * @param unwritable why it must not be written; empty if it may be
 */
public record BackendPool(
        PoolKey key,
        AddressSet addresses,
        @Nullable String etag,
        @Nullable Object source,
        ProvisioningState provisioning,
        Optional<Unwritable> unwritable) {

    /** A pool whose last operation succeeded and which may be written. */
    public BackendPool(PoolKey key, AddressSet addresses, @Nullable String etag, @Nullable Object source) {
        this(key, addresses, etag, source, ProvisioningState.SUCCEEDED, Optional.empty());
    }

    /** Whether its contents are in force: its last operation succeeded. */
    public boolean isSettled() {
        return provisioning == ProvisioningState.SUCCEEDED;
    }
}
