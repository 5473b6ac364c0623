package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pool of each Service: the Services that ask for each pool name, nearly always one, and the load balancers
 * that hold it. If Services ask in different families, the oldest one's is served, because ARM refuses a pool with
 * addresses of both. Guarded by the index's lock.
 */
final class Placement {

    private static final Comparator<PoolEntry> OLDEST_FIRST =
            Comparator.comparing((PoolEntry pool) -> pool.service.createdAt()).thenComparing(pool -> pool.service.name);

    private static final Comparator<PoolEntry> IN_ORDER =
            Comparator.comparing((PoolEntry pool) -> pool.service.name).thenComparing(pool -> pool.family);

    private static final Comparator<PoolKey> BY_LOAD_BALANCER = Comparator.comparing(PoolKey::loadBalancer);

    /** The Services' pools that are asked for, by name; nearly always one of each name. */
    private final Map<ArmName, List<PoolEntry>> asked = new HashMap<>();

    /** The pool of each name that Services may have: the only one of that name, or the one that was in use before. */
    private Map<ArmName, PoolKey> maintained = Map.of();

    /** The pools of each name that several load balancers hold, in order. */
    private Map<ArmName, List<PoolKey>> ambiguous = Map.of();

    /**
     * Takes a new listing. A name that two load balancers hold is ambiguous and not managed, because writing to either
     * could be wrong; but if it became ambiguous while its pool was in use, it stays where it was: otherwise a second
     * pool of that name would end all updates of the first.
     */
    void locate(Collection<PoolKey> listing) {
        Map<ArmName, PoolKey> one = new HashMap<>();
        Map<ArmName, List<PoolKey>> several = new HashMap<>();
        Map<ArmName, List<PoolKey>> byName =
                listing.stream().distinct().sorted(BY_LOAD_BALANCER).collect(Collectors.groupingBy(PoolKey::pool));
        byName.forEach((name, places) -> {
            PoolKey before = maintained.get(name);
            if (places.size() == 1) {
                one.put(name, places.get(0));
                return;
            }
            several.put(name, places);
            if (before != null && places.contains(before) && (ambiguous.containsKey(name) || isUsed(before))) {
                one.put(name, before);
            }
        });
        maintained = one;
        ambiguous = several;
    }

    private boolean isUsed(PoolKey place) {
        return asked(place.pool()).stream().anyMatch(pool -> pool.isLocalAt(place));
    }

    private List<PoolEntry> asked(ArmName name) {
        return asked.getOrDefault(name, List.of());
    }

    /**
     * Takes what the Service asks for now.
     *
     * @return the Services whose places this may change, itself included, in order of their names
     */
    Set<ServiceEntry> update(ServiceEntry service) {
        Set<ServiceEntry> concerned = new TreeSet<>(ServiceEntry.BY_NAME);
        concerned.add(service);
        for (PoolEntry pool : service.pools) {
            ArmName name = pool.name();
            List<PoolEntry> all = new ArrayList<>(asked(name));
            all.remove(pool);
            all.forEach(other -> concerned.add(other.service));
            if (pool.isAskedFor()) {
                all.add(pool);
            }
            if (all.isEmpty()) {
                asked.remove(name);
            } else {
                asked.put(name, List.copyOf(all));
            }
        }
        return concerned;
    }

    /** Where the Service has this pool; null if it does not ask for it, or there is none that it may have. */
    @Nullable
    PoolKey place(PoolEntry pool) {
        return pool.isAskedFor() && served(pool).family == pool.family ? maintained.get(pool.name()) : null;
    }

    /** Of the pools of that name, the one that decides on the family. */
    private PoolEntry served(PoolEntry pool) {
        return asked(pool.name()).stream().min(OLDEST_FIRST).orElse(pool);
    }

    /** Cost is proportional to the number of Services that ask for a pool. */
    Unplaced unplaced() {
        List<AmbiguousPool> several = new ArrayList<>();
        List<FamilyClash> clashes = new ArrayList<>();
        Set<ServiceName> withoutPool = new TreeSet<>();
        List<PoolEntry> unplaced = new ArrayList<>();
        asked.forEach((name, pools) -> {
            for (PoolEntry pool : pools) {
                if (!pool.isLocal() || ambiguous.containsKey(name)) {
                    unplaced.add(pool);
                }
            }
        });
        unplaced.sort(IN_ORDER);
        for (PoolEntry pool : unplaced) {
            ServiceName service = pool.service.name;
            ArmName name = pool.want == null ? pool.name() : pool.want.pool().pool();
            Optional<PoolKey> place = Optional.ofNullable(maintained.get(name));
            List<PoolKey> places = ambiguous.getOrDefault(name, List.of());
            if (!pool.isLocal() && place.isPresent()) {
                clashes.add(new FamilyClash(service, place.get(), pool.family, served(pool).service.name));
            } else if (!places.isEmpty()) {
                several.add(new AmbiguousPool(service, name, places, place));
            } else {
                withoutPool.add(service);
            }
        }
        return new Unplaced(several, clashes, List.copyOf(withoutPool));
    }
}
