package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import org.jspecify.annotations.Nullable;

/**
 * Receives what local Services want, in order. Called under the view's lock, except {@link #released}: implementations
 * must only take note and enqueue.
 */
public interface ClusterChanges {

    /**
     * What a Service wants in a pool changed, or it became local with the pool. Its set grows until it is adopted; from
     * then on it changes.
     *
     * @param before what it wanted so far; null if it just became local with the pool
     * @param now what it wants from now on
     */
    default void wants(@Nullable Want before, Want now) {}

    /**
     * An EndpointSlice of the Service, of whatever address type, had an event, whether or not the wanted set changed.
     * Called after {@link #wants}.
     */
    default void touched(ServiceName service, PoolKey pool) {}

    /** The Service is no longer local with this pool. */
    default void left(ServiceName service, PoolKey pool) {}

    /** {@link ClusterView#nextEnd} may have come closer. */
    default void waiting() {}

    /**
     * All changes caused by one cluster event, by one listing of the pools, or by the end of one wait for missing nodes
     * have been reported.
     */
    default void eventEnded() {}

    /** A Service that asks for local pools was created or edited: its pools should be compared again. */
    default void edited(ServiceName service) {}

    /**
     * Called without the view's lock, after it was held for any of the others: who drives the engine is woken by this,
     * if anything is due.
     */
    default void released() {}

    /** A Service was deleted, or asks for no local pools any more. */
    default void gone(ServiceName service) {}
}
