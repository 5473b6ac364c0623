package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.cluster.ServiceObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which Services use which pools: the contract, section 3, rule 3. */
public final class PoolUsers {

    private record Candidate(ServiceObject service, Share share) {}

    private static final Comparator<Candidate> OLDEST_FIRST = Comparator.comparing(
                    (Candidate candidate) -> candidate.service().created())
            .thenComparing(candidate -> candidate.service().name().toString());

    private PoolUsers() {}

    /**
     * The Services that use each pool, each in its family.
     *
     * @param places finds the pool of a name; empty if there is none, or if it is ambiguous
     */
    public static Map<PoolKey, Set<Share>> of(
            Collection<ServiceObject> services, Function<ArmName, Optional<PoolKey>> places) {
        Map<PoolKey, List<Candidate>> candidates = new LinkedHashMap<>();
        for (ServiceObject service : services) {
            for (IpFamily family : IpFamily.values()) {
                if (asksFor(service, family)) {
                    Share share = new Share(service.name(), family);
                    places.apply(share.pool())
                            .ifPresent(pool -> candidates
                                    .computeIfAbsent(pool, key -> new ArrayList<>(2))
                                    .add(new Candidate(service, share)));
                }
            }
        }
        Map<PoolKey, Set<Share>> users = new HashMap<>();
        candidates.forEach((pool, all) -> users.put(pool, served(all)));
        return users;
    }

    /** Those of the oldest one's family. */
    private static Set<Share> served(List<Candidate> candidates) {
        IpFamily family = candidates.stream()
                .min(OLDEST_FIRST)
                .map(oldest -> oldest.share().family())
                .orElseThrow();
        Set<Share> served = new LinkedHashSet<>();
        candidates.stream()
                .map(Candidate::share)
                .filter(share -> share.family() == family)
                .forEach(served::add);
        return served;
    }

    private static boolean asksFor(ServiceObject service, IpFamily family) {
        List<String> families = service.ipFamilies().isEmpty() ? List.of("IPv4") : service.ipFamilies();
        return service.type().equals("LoadBalancer")
                && service.externalTrafficPolicy().equals("Local")
                && service.loadBalancerClass().isEmpty()
                && families.contains(family == IpFamily.IPV4 ? "IPv4" : "IPv6");
    }
}
