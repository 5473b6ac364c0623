package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells Services once that they have no pool of their own: several load balancers have it, or an older Service. */
final class UnplacedNotices {

    private final Pools pools;
    private final Facts facts;

    UnplacedNotices(Pools pools, Facts facts) {
        this.pools = pools;
        this.facts = facts;
    }

    /** @param unplaced all Services without a pool of their own; the others may be told again another time */
    void report(Unplaced unplaced) {
        Set<ServiceName> services = Stream.concat(
                        unplaced.ambiguous().stream().map(AmbiguousPool::service),
                        unplaced.clashes().stream().map(FamilyClash::service))
                .collect(Collectors.toSet());
        pools.clearReported(HoldCause.By.AMBIGUOUS, pool -> true, service -> !services.contains(service));
        for (AmbiguousPool pool : unplaced.ambiguous()) {
            report(pool.service(), pool.places().get(0), new HoldCause.Ambiguous(pool));
        }
        for (FamilyClash clash : unplaced.clashes()) {
            report(clash.service(), clash.pool(), new HoldCause.FamilyTaken(clash));
        }
    }

    private void report(ServiceName service, PoolKey pool, HoldCause because) {
        pools.change(pool, it -> Holds.report(it, Set.of(service), because).told(facts));
    }
}
