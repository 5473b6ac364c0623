package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * Listens for changes of the wanted addresses of local Services, in their order. Called under the view's lock:
 * implementations only enqueue.
 */
public interface ClusterChanges {

    /** The Service became local with this pool, and its wanted set is complete for the first time; it may be empty. */
    void adopted(ServiceName service, PoolKey pool, AddressSet wanted);

    /** The wanted set is another one. */
    void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /** An EndpointSlice event of the Service, whether it changed the wanted set or not; after {@link #changed}. */
    void touched(ServiceName service, PoolKey pool);

    /** The Service is not local with this pool any more. */
    void left(ServiceName service, PoolKey pool);

    /** Everything that one event of the cluster, or one listing of the pools, changed was reported. */
    default void eventEnded() {}

    /** A Service that asks for local pools was created or edited: its pools deserve another look. */
    default void edited(ServiceName service) {}
}
