package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * What one Service wants in one pool with which it is local. Immutable.
 *
 * @param service the Service
 * @param pool its pool, in ARM's spelling
 * @param wanted the addresses
 * @param seen whether a slice of the Service has been seen since it became local; until then nothing is known of what
 *     it wants
 * @param adopted whether the set has been complete at least once; until then it only grows
 * @param complete whether it is complete now: a slice and every referenced node have been seen, or the node has been
 *     missing for a minute
 * @param paused whether the Service's annotation pauses its changes
 */
public record Want(
        ServiceName service,
        PoolKey pool,
        AddressSet wanted,
        boolean seen,
        boolean adopted,
        boolean complete,
        boolean paused) {

    /** Of a Service that has just become local with the pool. */
    static Want ofUnseen(ServiceName service, PoolKey pool, boolean paused) {
        return new Want(service, pool, AddressSet.empty(), false, false, false, paused);
    }

    /**
     * After a look at the slices. Until the set is complete for the first time it only grows; later nothing is removed
     * while it is incomplete.
     *
     * @param known the addresses of the nodes that the slices name, as far as they are known
     */
    Want evaluated(AddressSet known, boolean isComplete) {
        AddressSet now = isComplete ? known : adopted ? wanted.union(known) : known.union(wanted);
        boolean keepsSpelling = adopted && now.equals(wanted);
        return new Want(service, pool, keepsSpelling ? wanted : now, true, adopted || isComplete, isComplete, paused);
    }

    /** The same, but paused or not. */
    public Want withPaused(boolean now) {
        return now == paused ? this : new Want(service, pool, wanted, seen, adopted, complete, now);
    }

    /** Whether anything is known of what it wants. */
    public boolean isReported() {
        return adopted || !wanted.isEmpty();
    }
}
