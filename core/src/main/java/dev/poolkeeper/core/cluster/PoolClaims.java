package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Services that ask for each pool name, whether or not a load balancer holds it. Nearly always one; if they ask in
 * different families, the oldest Service's is served, because ARM refuses a pool with addresses of both. Guarded by the
 * index's lock.
 */
final class PoolClaims {

    private static final Comparator<Claim> OLDEST_FIRST = Comparator.comparing(
                    (Claim claim) -> claim.service().createdAt())
            .thenComparing(claim -> claim.service().name);

    private final Map<ArmName, List<Claim>> byPool = new HashMap<>();

    /** A Service that asks for a pool in this family. */
    record Claim(ServiceEntry service, IpFamily family) {}

    /** Takes what the Service asks for now. */
    void update(ServiceEntry service) {
        for (IpFamily family : IpFamily.values()) {
            Claim claim = new Claim(service, family);
            ArmName pool = family.poolName(service.name);
            remove(pool, claim);
            if (service.asksFor(family)) {
                byPool.computeIfAbsent(pool, name -> new ArrayList<>(1)).add(claim);
            }
        }
    }

    private void remove(ArmName pool, Claim claim) {
        byPool.computeIfPresent(pool, (name, claims) -> {
            claims.remove(claim);
            return claims.isEmpty() ? null : claims;
        });
    }

    /** The claims on the pools that this Service may ask for, its own included. */
    List<Claim> besides(ServiceEntry service) {
        List<Claim> claims = new ArrayList<>(2);
        for (IpFamily family : IpFamily.values()) {
            claims.addAll(byPool.getOrDefault(family.poolName(service.name), List.of()));
        }
        return claims;
    }

    /** The claim that decides on the family of the pool; empty if no Service asks for it. */
    Optional<Claim> first(ArmName pool) {
        return byPool.getOrDefault(pool, List.of()).stream().min(OLDEST_FIRST);
    }
}
