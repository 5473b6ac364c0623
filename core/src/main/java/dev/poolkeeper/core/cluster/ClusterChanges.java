package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * Receives changes to the wanted addresses of local Services, in order. Called under the view's lock: implementations
 * must only enqueue.
 */
public interface ClusterChanges {

    /**
     * The Service is local with this pool, and its wanted set was never complete: its first slice was seen, or
     * addresses were added.
     *
     * @param added those that came; may be empty at the first slice
     * @param wanted the whole set so far
     */
    void grew(ServiceName service, PoolKey pool, AddressSet added, AddressSet wanted);

    /** The wanted set is complete for the first time since the Service became local with this pool; it may be empty. */
    void adopted(ServiceName service, PoolKey pool, AddressSet wanted);

    /** The wanted set changed. */
    void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /**
     * An EndpointSlice of the Service, of whatever address type, had an event, whether or not the wanted set changed.
     * Called after {@link #changed}.
     */
    void touched(ServiceName service, PoolKey pool);

    /** The Service is no longer local with this pool. */
    void left(ServiceName service, PoolKey pool);

    /** Another Service has left this pool, which this one shares, adopted and with this wanted set. */
    void remained(ServiceName service, PoolKey pool, AddressSet wanted);

    /** {@link ClusterView#nextEnd} may have come closer. */
    default void waiting() {}

    /**
     * All changes caused by one cluster event, by one listing of the pools, or by the end of one wait for missing nodes
     * have been reported.
     */
    default void eventEnded() {}

    /** A Service that asks for local pools was created or edited: its pools should be compared again. */
    default void edited(ServiceName service) {}
}
