package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.Survey.AmbiguousPool;
import dev.poolkeeper.core.cluster.Survey.FamilyClash;
import dev.poolkeeper.core.cluster.Survey.Want;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Takes a {@link Survey} of all Services in the index. Guarded by the index's lock. */
final class Surveyor {

    private final ServiceEntries services;
    private final PoolClaims claims;

    Surveyor(ServiceEntries services, PoolClaims claims) {
        this.services = services;
        this.claims = claims;
    }

    Survey survey(PoolLocations locations) {
        Findings findings = new Findings(locations);
        for (ServiceEntry service : services.sorted()) {
            for (IpFamily family : IpFamily.values()) {
                LocalPool local = service.pool(family);
                if (local != null) {
                    findings.add(service, local);
                } else if (service.asksFor(family)) {
                    findings.addUnplaced(service, family);
                }
            }
        }
        return findings.survey();
    }

    private final class Findings {

        private final PoolLocations locations;
        private final List<Want> wants = new ArrayList<>();
        private final List<AmbiguousPool> ambiguous = new ArrayList<>();
        private final List<FamilyClash> clashes = new ArrayList<>();
        private final SortedSet<ServiceName> withoutPool = new TreeSet<>();

        Findings(PoolLocations locations) {
            this.locations = locations;
        }

        void add(ServiceEntry service, LocalPool local) {
            wants.add(new Want(
                    service.name, local.pool, local.wanted, local.adopted, local.complete, service.isPaused()));
            addAmbiguous(service, local.pool.pool());
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

        private boolean addAmbiguous(ServiceEntry service, ArmName pool) {
            List<PoolKey> places = locations.ambiguous(pool);
            if (!places.isEmpty()) {
                ambiguous.add(new AmbiguousPool(service.name, pool, places, locations.find(pool)));
            }
            return !places.isEmpty();
        }

        Survey survey() {
            return new Survey(wants, ambiguous, clashes, List.copyOf(withoutPool));
        }
    }
}
