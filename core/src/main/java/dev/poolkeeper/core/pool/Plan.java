package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.AddressChange;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Objects;

/**
 * The change that an update would make to a pool. Built from the last known contents before the pool is read, and again
 * from the contents that were read. Immutable.
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
     * @param held the addresses that the pool holds
     * @param planned the addresses that it should hold
     */
    public Plan(PoolKey pool, List<ServiceName> services, AddressSet held, AddressSet planned) {
        this.pool = pool;
        this.services = List.copyOf(services);
        this.held = held;
        this.planned = planned;
        this.change = held.changeTo(planned);
    }

    public PoolKey pool() {
        return pool;
    }

    /** The Services that the update is for. */
    public List<ServiceName> services() {
        return services;
    }

    /** The addresses that the pool holds. */
    public AddressSet held() {
        return held;
    }

    /** The addresses that the pool should hold. */
    public AddressSet planned() {
        return planned;
    }

    public AddressSet additions() {
        return change.added();
    }

    public AddressSet removals() {
        return change.removed();
    }

    /** Whether the pool already holds the planned addresses. */
    public boolean isDone() {
        return change.isEmpty();
    }

    /** The same update with other planned addresses. */
    @SuppressWarnings("ReferenceEquality") // sets that are left alone are the same objects
    public Plan withPlanned(AddressSet other) {
        return other == planned ? this : new Plan(pool, services, held, other);
    }

    /**
     * The same update of the addresses of the family for which its Services have the pool. Others cannot be kept: a
     * pool is of one family.
     */
    public Plan served() {
        if (services.isEmpty()) {
            return this;
        }
        IpFamily family = IpFamily.of(services.get(0), pool);
        AddressSet servedOfHeld = held.ofFamily(family);
        AddressSet servedOfPlanned = planned.ofFamily(family);
        return servedOfHeld.size() == held.size() && servedOfPlanned.size() == planned.size()
                ? this
                : new Plan(pool, services, servedOfHeld, servedOfPlanned);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Plan plan
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
