package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * What the cluster wants in each pool: the design document's {@code localServiceNameToServiceInfoMap}.
 * {@link EndpointIndex} is the view that watch events feed; a controller with bookkeeping of its own may bring another.
 *
 * <p>Implementations are thread-safe and answer at once. They may call {@link ClusterChanges} under a lock of their
 * own; nothing that they call there waits for I/O.
 */
public interface ClusterView {

    /** Sets the listener for changes. The engine calls this once, before it does anything else. */
    void listen(ClusterChanges listener);

    /**
     * Takes a new listing of the pools: Services whose pool came, went or moved are reported in order of their names.
     */
    void locate(PoolLocations locations);

    /**
     * Whether the Service is local at this moment with this very pool and its wanted set was complete once, so that
     * updates for it count.
     */
    boolean isLocal(ServiceName service, PoolKey pool);

    /** What the Service wants in this pool at this moment; empty if it is not local with it. */
    AddressSet wanted(ServiceName service, PoolKey pool);

    /** What the other local Services whose pool this is want in it at this moment. */
    AddressSet wantedByOthers(ServiceName service, PoolKey pool);

    /** Whether another local Service of this pool names a node of which nothing is known yet. */
    boolean isUndecidedForOthers(ServiceName service, PoolKey pool);

    /** Whether the Service's annotation pauses its pools. */
    boolean isPaused(ServiceName service);

    /** Everything at this moment. Costs in proportion to the cluster's Services. */
    Survey survey();
}
