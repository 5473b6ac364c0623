package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the load balancer that holds the pool of a given name. A name that two load balancers hold is ambiguous and not
 * managed, because writing to either could be wrong. Immutable.
 */
public final class PoolLocations {

    private static final Comparator<PoolKey> IN_ORDER =
            Comparator.comparing(PoolKey::loadBalancer).thenComparing(PoolKey::pool);

    private static final PoolLocations NONE = new PoolLocations(Map.of(), Map.of());

    private final Map<ArmName, PoolKey> byName;
    private final Map<ArmName, List<PoolKey>> ambiguous;

    private PoolLocations(Map<ArmName, PoolKey> byName, Map<ArmName, List<PoolKey>> ambiguous) {
        this.byName = byName;
        this.ambiguous = ambiguous;
    }

    /** No pools: no Service is local. */
    public static PoolLocations none() {
        return NONE;
    }

    public static PoolLocations of(Collection<PoolKey> pools) {
        Map<ArmName, PoolKey> byName = new HashMap<>();
        Map<ArmName, SortedSet<PoolKey>> several = new HashMap<>();
        for (PoolKey pool : pools) {
            PoolKey other = byName.putIfAbsent(pool.pool(), pool);
            if (other != null && !other.equals(pool)) {
                several.computeIfAbsent(pool.pool(), name -> new TreeSet<>(IN_ORDER))
                        .addAll(List.of(other, pool));
            }
        }
        byName.keySet().removeAll(several.keySet());
        Map<ArmName, List<PoolKey>> ambiguous = new HashMap<>();
        several.forEach((name, places) -> ambiguous.put(name, List.copyOf(places)));
        return new PoolLocations(byName, ambiguous);
    }

    /**
     * These locations, but a name that became ambiguous while its pool was in use stays where it was: otherwise a
     * second pool of that name would end all updates of the first.
     *
     * @param before the locations so far
     * @param isUsed whether a Service has this pool
     */
    PoolLocations after(PoolLocations before, Predicate<PoolKey> isUsed) {
        Map<ArmName, PoolKey> kept = new HashMap<>(byName);
        ambiguous.forEach((name, places) -> before.find(name)
                .filter(places::contains)
                .filter(place -> isUsed.test(place) || before.ambiguous.containsKey(name))
                .ifPresent(place -> kept.put(name, place)));
        return kept.size() == byName.size() ? this : new PoolLocations(kept, ambiguous);
    }

    /**
     * The pool of that name, in ARM's spelling: the only one, or the one that was in use before the name became
     * ambiguous; empty if there is none.
     */
    public Optional<PoolKey> find(ArmName pool) {
        return Optional.ofNullable(byName.get(pool));
    }

    /** The pools of that name, in order, if several load balancers hold one; otherwise empty. */
    public List<PoolKey> ambiguous(ArmName pool) {
        return ambiguous.getOrDefault(pool, List.of());
    }
}
