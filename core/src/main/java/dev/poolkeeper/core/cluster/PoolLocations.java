package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the load balancer that holds the pool of a given name. A name that two load balancers hold is ambiguous and not
 * managed, because writing to either could be wrong. Immutable.
 */
public final class PoolLocations {

    private static final Comparator<PoolKey> IN_ORDER =
            Comparator.comparing(PoolKey::loadBalancer).thenComparing(PoolKey::pool);

    /** The pools of each name, in order. */
    private final Map<ArmName, List<PoolKey>> places;

    /** Where each ambiguous name was before it became ambiguous, if it was in use there. */
    private final Map<ArmName, PoolKey> kept;

    private PoolLocations(Map<ArmName, List<PoolKey>> places, Map<ArmName, PoolKey> kept) {
        this.places = places;
        this.kept = kept;
    }

    public static PoolLocations of(Collection<PoolKey> pools) {
        Map<ArmName, List<PoolKey>> places = new HashMap<>();
        for (PoolKey pool : pools) {
            places.merge(
                    pool.pool(),
                    List.of(pool),
                    (some, one) -> Stream.concat(some.stream(), one.stream())
                            .distinct()
                            .sorted(IN_ORDER)
                            .toList());
        }
        return new PoolLocations(places, Map.of());
    }

    /**
     * These locations, but a name that became ambiguous while its pool was in use stays where it was: otherwise a
     * second pool of that name would end all updates of the first.
     *
     * @param before the locations so far
     * @param isUsed whether a Service has this pool
     */
    PoolLocations after(PoolLocations before, Predicate<PoolKey> isUsed) {
        Map<ArmName, PoolKey> kept = new HashMap<>();
        for (ArmName name : places.keySet()) {
            before.find(name)
                    .filter(ambiguous(name)::contains)
                    .filter(place -> isUsed.test(place) || before.kept.containsKey(name))
                    .ifPresent(place -> kept.put(name, place));
        }
        return new PoolLocations(places, kept);
    }

    /**
     * The pool of that name, in ARM's spelling: the only one, or the one that was in use before the name became
     * ambiguous; empty if there is none.
     */
    public Optional<PoolKey> find(ArmName pool) {
        List<PoolKey> all = places.getOrDefault(pool, List.of());
        return Optional.ofNullable(all.size() == 1 ? all.get(0) : kept.get(pool));
    }

    /** The pools of that name, in order, if several load balancers hold one; otherwise empty. */
    public List<PoolKey> ambiguous(ArmName pool) {
        List<PoolKey> all = places.getOrDefault(pool, List.of());
        return all.size() > 1 ? all : List.of();
    }
}
