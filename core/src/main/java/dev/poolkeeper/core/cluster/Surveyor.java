package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds out which Services of the index are {@link Unplaced}. Guarded by the index's lock. */
final class Surveyor {

    private final ServiceEntries services;
    private final PoolClaims claims;

    Surveyor(ServiceEntries services, PoolClaims claims) {
        this.services = services;
        this.claims = claims;
    }

    Unplaced unplaced(PoolLocations locations) {
        Findings findings = new Findings(locations);
        for (ServiceEntry service : services.sorted()) {
            for (IpFamily family : IpFamily.values()) {
                LocalPool local = service.pool(family);
                if (local != null) {
                    findings.addAmbiguous(service, local.pool().pool());
                } else if (service.asksFor(family)) {
                    findings.addUnplaced(service, family);
                }
            }
        }
        return findings.unplaced();
    }

    private final class Findings {

        private final PoolLocations locations;
        private final List<AmbiguousPool> ambiguous = new ArrayList<>();
        private final List<FamilyClash> clashes = new ArrayList<>();
        private final SortedSet<ServiceName> withoutPool = new TreeSet<>();

        Findings(PoolLocations locations) {
            this.locations = locations;
        }

        /** The Service asks for a pool in this family, and is not local there. */
        void addUnplaced(ServiceEntry service, IpFamily family) {
            ArmName pool = family.poolName(service.name);
            ServiceEntry first =
                    claims.first(pool).map(PoolClaims.Claim::service).orElse(service);
            Optional<PoolKey> place = locations.find(pool);
            if (place.isPresent()) {
                clashes.add(new FamilyClash(service.name, place.get(), family, first.name));
            } else if (!addAmbiguous(service, pool)) {
                withoutPool.add(service.name);
            }
        }

        boolean addAmbiguous(ServiceEntry service, ArmName pool) {
            List<PoolKey> places = locations.ambiguous(pool);
            if (!places.isEmpty()) {
                ambiguous.add(new AmbiguousPool(service.name, pool, places, locations.find(pool)));
            }
            return !places.isEmpty();
        }

        Unplaced unplaced() {
            return new Unplaced(ambiguous, clashes, List.copyOf(withoutPool));
        }
    }
}
