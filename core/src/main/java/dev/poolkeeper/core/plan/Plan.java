package dev.poolkeeper.core.plan;

import dev.poolkeeper.ports.AddressChange;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Objects;

/**
 * What an update would do to a pool. Made from what is known of the pool before it is read, and again from what was
 * read. Immutable.
 */
public final class Plan {

    private final PoolKey pool;
    private final List<ServiceName> services;
    private final AddressSet held;
    private final AddressSet planned;
    private final AddressChange change;

    /**
     * @param pool the pool
     * @param services the Services that the update is for
     * @param held what the pool holds
     * @param planned what it is to hold
     */
    public Plan(PoolKey pool, List<ServiceName> services, AddressSet held, AddressSet planned) {
        this.pool = pool;
        this.services = List.copyOf(services);
        this.held = held;
        this.planned = planned;
        this.change = AddressChange.between(held, planned);
    }

    public PoolKey pool() {
        return pool;
    }

    /** The Services that the update is for. */
    public List<ServiceName> services() {
        return services;
    }

    /** What the pool holds. */
    public AddressSet held() {
        return held;
    }

    /** What it is to hold. */
    public AddressSet planned() {
        return planned;
    }

    public AddressSet additions() {
        return change.added();
    }

    public AddressSet removals() {
        return change.removed();
    }

    /** Whether there is nothing to write. */
    public boolean isDone() {
        return change.isEmpty();
    }

    /** The same update with another aim. */
    public Plan withPlanned(AddressSet other) {
        return new Plan(pool, services, held, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Plan plan
                && pool.equals(plan.pool)
                && services.equals(plan.services)
                && held.equals(plan.held)
                && planned.equals(plan.planned);
    }

    @Override
    public int hashCode() {
        return Objects.hash(pool, services, held, planned);
    }

    @Override
    public String toString() {
        return "Plan[" + pool + " of " + services + ": " + held + " to " + planned + "]";
    }
}
