package dev.poolkeeper.core.plan;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;

/**
 * What an update would do to a pool. Made from what is known of the pool before it is read, and again from what was
 * read. Immutable.
 *
 * @param pool the pool
 * @param services the Services that the update is for
 * @param held what the pool holds
 * @param planned what it is to hold
 */
public record Plan(PoolKey pool, List<ServiceName> services, AddressSet held, AddressSet planned) {

    public Plan {
        services = List.copyOf(services);
    }

    public AddressSet additions() {
        return planned.minus(held);
    }

    public AddressSet removals() {
        return held.minus(planned);
    }

    /** Whether there is nothing to write. */
    public boolean isDone() {
        return planned.equals(held);
    }

    /** The same update with another aim. */
    public Plan withPlanned(AddressSet other) {
        return new Plan(pool, services, held, other);
    }
}
