package dev.poolkeeper.core.endpoints;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * Hears how the wanted addresses of local Services change, in the order in which they do. Called under the index's
 * lock: implementations only enqueue.
 */
public interface WantedChanges {

    /** The Service became local with this pool, and its wanted set is complete for the first time; it may be empty. */
    void adopted(ServiceName service, PoolKey pool, AddressSet wanted);

    /** The wanted set is another one. */
    void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /** An endpoint event of a Service whose last update failed for good; the wanted set is the same as before. */
    void retriggered(ServiceName service, PoolKey pool, AddressSet wanted);

    /** Somebody asked for the wanted set again, through {@link EndpointIndex#tellAgain}; it is the same as before. */
    default void repeated(ServiceName service, PoolKey pool, AddressSet wanted) {}

    /** The Service is not local with this pool any more. */
    void left(ServiceName service, PoolKey pool);
}
