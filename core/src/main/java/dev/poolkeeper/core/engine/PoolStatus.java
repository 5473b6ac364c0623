package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Optional;

/**
 * The status of one pool.
 *
 * @param pool the pool, in ARM's spelling
 * @param services the local Services whose pool it is, sorted; of a pool without any, nothing is wanted
 * @param wanted the union of the addresses they want in it
 * @param adopted whether all of these sets have been complete at least once
 * @param known the last known contents; empty before the first listing
 * @param attempts the number of failed attempts of the waiting operations
 * @param difference why it does not hold the wanted addresses, or why an update waits; empty if neither applies
 * @param leaving the addresses it is known to hold that may be removed by a write that waits, is in progress, or failed
 *     with an unknown outcome
 */
public record PoolStatus(
        PoolKey pool,
        List<ServiceName> services,
        AddressSet wanted,
        boolean adopted,
        Optional<KnownPool> known,
        int attempts,
        Optional<Difference> difference,
        AddressSet leaving) {

    public PoolStatus {
        services = List.copyOf(services);
    }

    /** Whether it is known to hold exactly the wanted addresses and no update waits. */
    public boolean isInStep() {
        return adopted && difference.isEmpty();
    }

    /** Whether the leader last saw it differ from the wanted addresses. */
    public boolean differs() {
        return !mayBeOutdated() && (!missing().isEmpty() || !surplus().isEmpty());
    }

    /** Whether addresses are wanted, and the leader knows that it holds none of them. */
    public boolean isOutage() {
        return !mayBeOutdated() && known.isPresent() && !wanted.isEmpty() && wanted.common(held()) == 0;
    }

    /** Whether another process may have written it since it was last seen. */
    private boolean mayBeOutdated() {
        return difference
                .map(Difference::reason)
                .filter(reason -> reason == Reason.NOT_LEADING || reason == Reason.NOT_LISTED)
                .isPresent();
    }

    /** The wanted addresses that the pool did not hold when it was last seen. */
    public AddressSet missing() {
        return wanted.minus(held());
    }

    /** The addresses that the pool held when it was last seen and that are not wanted. */
    public AddressSet surplus() {
        return held().minus(wanted);
    }

    private AddressSet held() {
        return known.map(KnownPool::addresses).orElse(AddressSet.empty());
    }
}
