package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Reports the addresses that the cluster wants in each pool: the design document's
 * {@code localServiceNameToServiceInfoMap}. {@link EndpointIndex} builds this view from watch events; a controller that
 * keeps its own index may supply another implementation.
 *
 * <p>Implementations are thread-safe and return immediately. They may call {@link ClusterChanges} while holding their
 * own lock; those methods never wait for I/O, and never call the view. After that they call
 * {@link ClusterChanges#released} without the lock; without this call, what changed waits for the engine's next step.
 */
public interface ClusterView {

    /**
     * Sets the listener, and reports to it what is wanted already. The engine calls this once, before anything else.
     */
    void listen(ClusterChanges listener);

    /**
     * Takes a new listing of the pools: Services whose pool appeared, disappeared or moved are reported in order of
     * their names. A pool name that several load balancers hold is ambiguous, and not managed.
     *
     * @param pools all pools there are, in ARM's spelling
     */
    void locate(Collection<PoolKey> pools);

    /** When {@link #endWaits} will have something to do; empty if nothing waits. */
    default Optional<Instant> nextEnd() {
        return Optional.empty();
    }

    /** Ends the waits for missing nodes that are over by now, and reports what that completes. */
    default void endWaits() {}

    /**
     * The Services that have no pool, or more than one. Cost is proportional to the number of Services in the cluster.
     */
    default Unplaced unplaced() {
        return Unplaced.NONE;
    }
}
