package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
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

    private static final Comparator<Claim> OLDEST_FIRST = Comparator.comparing(
                    (Claim claim) -> claim.service().createdAt())
            .thenComparing(claim -> claim.service().name);

    private static final Comparator<Claim> IN_ORDER =
            Comparator.comparing((Claim claim) -> claim.service().name).thenComparing(Claim::family);

    private static final Comparator<PoolKey> BY_LOAD_BALANCER = Comparator.comparing(PoolKey::loadBalancer);

    private final Map<ArmName, List<Claim>> claims = new HashMap<>();

    /** The pool of each name that Services may have: the only one of that name, or the one that was in use before. */
    private Map<ArmName, PoolKey> maintained = Map.of();

    /** The pools of each name that several load balancers hold, in order. */
    private Map<ArmName, List<PoolKey>> ambiguous = Map.of();

    /** A Service that asks for a pool in this family. */
    private record Claim(ServiceEntry service, IpFamily family) {

        ArmName pool() {
            return family.poolName(service.name);
        }

        /** Null if the Service is not local in this family. */
        @Nullable
        LocalPool local() {
            return service.pools.get(family);
        }
    }

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

    private boolean isUsed(PoolKey pool) {
        return claims(pool.pool()).stream()
                .map(Claim::local)
                .anyMatch(local -> local != null && local.pool().equals(pool));
    }

    private List<Claim> claims(ArmName pool) {
        return claims.getOrDefault(pool, List.of());
    }

    /**
     * Takes what the Service asks for now.
     *
     * @return the Services whose places this may change, itself included, in order of their names
     */
    Set<ServiceEntry> update(ServiceEntry service) {
        Set<ServiceEntry> concerned = new TreeSet<>(ServiceEntry.BY_NAME);
        concerned.add(service);
        for (IpFamily family : IpFamily.values()) {
            Claim claim = new Claim(service, family);
            List<Claim> others = new ArrayList<>(claims(claim.pool()));
            others.remove(claim);
            others.forEach(other -> concerned.add(other.service()));
            if (service.asksFor(family)) {
                others.add(claim);
            }
            if (others.isEmpty()) {
                claims.remove(claim.pool());
            } else {
                claims.put(claim.pool(), List.copyOf(others));
            }
        }
        return concerned;
    }

    /** The Service's pool in this family; empty if it does not ask for one, or there is none that it may have. */
    Optional<PoolKey> place(ServiceEntry service, IpFamily family) {
        Claim claim = new Claim(service, family);
        return service.asksFor(family) && served(claim).family() == family
                ? Optional.ofNullable(maintained.get(claim.pool()))
                : Optional.empty();
    }

    /** The claim that decides on the family of the pool. */
    private Claim served(Claim claim) {
        return claims(claim.pool()).stream().min(OLDEST_FIRST).orElse(claim);
    }

    /** Cost is proportional to the number of Services that ask for a pool. */
    Unplaced unplaced() {
        List<AmbiguousPool> several = new ArrayList<>();
        List<FamilyClash> clashes = new ArrayList<>();
        Set<ServiceName> withoutPool = new TreeSet<>();
        for (Claim claim : claims.values().stream()
                .flatMap(Collection::stream)
                .sorted(IN_ORDER)
                .toList()) {
            ServiceName service = claim.service().name;
            LocalPool local = claim.local();
            ArmName pool = local == null ? claim.pool() : local.pool().pool();
            Optional<PoolKey> place = Optional.ofNullable(maintained.get(pool));
            List<PoolKey> places = ambiguous.getOrDefault(pool, List.of());
            if (local == null && place.isPresent()) {
                clashes.add(new FamilyClash(
                        service, place.get(), claim.family(), served(claim).service().name));
            } else if (!places.isEmpty()) {
                several.add(new AmbiguousPool(service, pool, places, place));
            } else if (local == null) {
                withoutPool.add(service);
            }
        }
        return new Unplaced(several, clashes, List.copyOf(withoutPool));
    }
}
