package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Optional;

/**
 * How one pool is doing.
 *
 * @param pool the pool, in the spelling found at ARM
 * @param services the local Services whose pool it is, sorted
 * @param wanted what they want in it together
 * @param adopted whether all of these sets were complete once
 * @param known what is known of the pool; empty before its first listing
 * @param attempts how many attempts at what waits have failed
 * @param difference why it does not hold what is wanted, or why an update of it waits; empty if neither
 * @param leaving what of that which it is known to hold a write may remove that waits, is in progress, or failed with
 *     an unknown outcome
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

    /** Whether it is known to hold exactly what is wanted, and nothing waits. */
    public boolean isInStep() {
        return adopted && difference.isEmpty();
    }

    /** Whether it held something else than is wanted when it was last seen. */
    public boolean differs() {
        return !missing().isEmpty() || !surplus().isEmpty();
    }

    /** Whether addresses are wanted, and it is known to hold none of them. */
    public boolean isOutage() {
        return known.isPresent() && !wanted.isEmpty() && wanted.common(held()) == 0;
    }

    /** What is wanted and was not there when the pool was last seen. */
    public AddressSet missing() {
        return wanted.minus(held());
    }

    /** What was there when the pool was last seen and is not wanted. */
    public AddressSet surplus() {
        return held().minus(wanted);
    }

    private AddressSet held() {
        return known.map(KnownPool::addresses).orElse(AddressSet.empty());
    }
}
