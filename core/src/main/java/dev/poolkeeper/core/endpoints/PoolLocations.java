package dev.poolkeeper.core.endpoints;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which load balancer holds the pool of a given name. A name that two load balancers hold is nobody's: writing to
 * either could be wrong. Immutable.
 */
public final class PoolLocations {

    private static final PoolLocations NONE = new PoolLocations(Map.of(), new TreeSet<>());

    private final Map<ArmName, PoolKey> byName;
    private final SortedSet<ArmName> ambiguous;

    private PoolLocations(Map<ArmName, PoolKey> byName, SortedSet<ArmName> ambiguous) {
        this.byName = byName;
        this.ambiguous = ambiguous;
    }

    /** Knows no pool: no Service is local. */
    public static PoolLocations none() {
        return NONE;
    }

    public static PoolLocations of(Collection<PoolKey> pools) {
        Map<ArmName, PoolKey> byName = new HashMap<>();
        SortedSet<ArmName> ambiguous = new TreeSet<>();
        for (PoolKey pool : pools) {
            PoolKey other = byName.putIfAbsent(pool.pool(), pool);
            if (other != null && !other.equals(pool)) {
                ambiguous.add(pool.pool());
            }
        }
        byName.keySet().removeAll(ambiguous);
        return new PoolLocations(byName, ambiguous);
    }

    /** The one pool of that name, in the spelling found at ARM. */
    public Optional<PoolKey> find(ArmName pool) {
        return Optional.ofNullable(byName.get(pool));
    }

    /** Whether several load balancers hold a pool of that name. */
    public boolean isAmbiguous(ArmName pool) {
        return ambiguous.contains(pool);
    }
}
