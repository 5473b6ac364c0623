package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The addresses that the cluster wants in each pool: the design document's {@code localServiceNameToServiceInfoMap}.
 * {@link EndpointIndex} builds this view from watch events; a controller that keeps its own index may supply another
 * implementation.
 *
 * <p>Implementations are thread-safe and return immediately. They may call {@link ClusterChanges} while holding their
 * own lock; those methods never wait for I/O.
 */
public interface ClusterView {

    /** Sets the listener for changes. The engine calls this once, before it does anything else. */
    void listen(ClusterChanges listener);

    /**
     * Takes a new listing of the pools: Services whose pool appeared, disappeared or moved are reported in order of
     * their names.
     */
    void locate(PoolLocations locations);

    /**
     * Whether the Service is currently local with exactly this pool and has reported a wanted set, so that updates for
     * it apply.
     */
    boolean isLocal(ServiceName service, PoolKey pool);

    /**
     * Whether the Service is local with this pool and its wanted set has been complete at least once. Until then its
     * updates remove nothing from the pool.
     */
    boolean isAdopted(ServiceName service, PoolKey pool);

    /** The addresses the Service currently wants in this pool; empty if it is not local with the pool. */
    AddressSet wanted(ServiceName service, PoolKey pool);

    /**
     * The addresses that the other local Services sharing this pool currently want in it, complete or not; of one that
     * is paused, those that it wanted when its pause, or its adoption during the pause, began.
     */
    AddressSet wantedByOthers(ServiceName service, PoolKey pool);

    /** The local Services that share this pool, sorted. */
    List<ServiceName> services(PoolKey pool);

    /** Whether the Service's annotation pauses its changes. */
    boolean isPaused(ServiceName service);

    /** From now on no Service is paused. An engine without guards calls this once, before {@link #listen}. */
    void ignorePauses();

    /** When {@link #endWaits} will have something to do; empty if nothing waits. */
    default Optional<Instant> nextEnd() {
        return Optional.empty();
    }

    /** Ends the waits for missing nodes that are over by now, and reports what that completes. */
    default void endWaits() {}

    /** A snapshot of the whole view. Cost is proportional to the number of Services in the cluster. */
    Survey survey();
}
