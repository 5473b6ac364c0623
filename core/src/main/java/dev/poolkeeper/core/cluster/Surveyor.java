package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.Survey.AmbiguousPool;
import dev.poolkeeper.core.cluster.Survey.Want;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;

/** Takes a {@link Survey} of all Services in the index. Guarded by the index's lock. */
final class Surveyor {

    private final ServiceEntries services;

    Surveyor(ServiceEntries services) {
        this.services = services;
    }

    Survey survey(PoolLocations locations) {
        List<Want> wants = new ArrayList<>();
        List<AmbiguousPool> ambiguous = new ArrayList<>();
        List<ServiceName> withoutPool = new ArrayList<>();
        for (ServiceEntry service : services.sorted()) {
            boolean lacksPool = false;
            for (IpFamily family : IpFamily.values()) {
                LocalPool local = service.pool(family);
                if (local != null) {
                    wants.add(new Want(
                            service.name, local.pool, local.wanted, local.adopted, local.complete, service.isPaused()));
                } else if (service.asksFor(family)) {
                    ArmName name = family.poolName(service.name);
                    List<PoolKey> places = locations.ambiguous(name);
                    lacksPool |= places.isEmpty();
                    if (!places.isEmpty()) {
                        ambiguous.add(new AmbiguousPool(service.name, name, places));
                    }
                }
            }
            if (lacksPool) {
                withoutPool.add(service.name);
            }
        }
        return new Survey(wants, ambiguous, withoutPool);
    }
}
