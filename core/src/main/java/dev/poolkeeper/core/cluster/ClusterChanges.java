package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * Receives changes to the wanted addresses of local Services, in order. Called under the view's lock: implementations
 * must only enqueue.
 */
public interface ClusterChanges {

    /** The Service became local with this pool, and its wanted set is complete for the first time; it may be empty. */
    void adopted(ServiceName service, PoolKey pool, AddressSet wanted);

    /** The wanted set changed. */
    void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /**
     * An EndpointSlice of the Service had an event, whether or not the wanted set changed. Called after
     * {@link #changed}.
     */
    void touched(ServiceName service, PoolKey pool);

    /** The Service is no longer local with this pool. */
    void left(ServiceName service, PoolKey pool);

    /** All changes caused by one cluster event, or by one listing of the pools, have been reported. */
    default void eventEnded() {}

    /** A Service that asks for local pools was created or edited: its pools should be compared again. */
    default void edited(ServiceName service) {}
}
