package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Optional;

/**
 * The Services that ask for a pool which is not, or not only, theirs to have.
 *
 * @param ambiguous the Services of whose pool name several load balancers hold a pool; sorted
 * @param clashes the Services that are not local in a family only because an older one uses their pool for the other
 *     family; sorted
 * @param withoutPool the Services that are not local only because no load balancer holds their pool; sorted
 */
public record Unplaced(List<AmbiguousPool> ambiguous, List<FamilyClash> clashes, List<ServiceName> withoutPool) {

    /** Every Service has its pool. */
    public static final Unplaced NONE = new Unplaced(List.of(), List.of(), List.of());

    public Unplaced {
        ambiguous = List.copyOf(ambiguous);
        clashes = List.copyOf(clashes);
        withoutPool = List.copyOf(withoutPool);
    }

    /**
     * A Service whose pool name exists on several load balancers.
     *
     * @param service the Service
     * @param pool the pool name that several load balancers have
     * @param places those pools, at least two, in order
     * @param maintained the one that is maintained, because it was before the name became ambiguous; empty if none is,
     *     and the Service is not local
     */
    public record AmbiguousPool(
            ServiceName service, ArmName pool, List<PoolKey> places, Optional<PoolKey> maintained) {}

    /**
     * A Service whose pool is used for the other IP family. ARM refuses addresses of both families in one pool.
     *
     * @param service the Service
     * @param pool the pool that both ask for
     * @param family the family in which it asks for the pool
     * @param served the Service that has the pool, the oldest
     */
    public record FamilyClash(ServiceName service, PoolKey pool, IpFamily family, ServiceName served) {}
}
