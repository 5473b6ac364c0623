package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A snapshot of the whole index. Taking it costs time proportional to the number of Services in the cluster.
 *
 * @param wants the addresses each local Service wants in each of its pools, unordered
 * @param ambiguous the Services that are not local only because several load balancers hold a pool of their name;
 *     sorted
 * @param withoutPool the Services that are not local only because no load balancer holds their pool; sorted
 */
public record Survey(List<Want> wants, List<AmbiguousPool> ambiguous, List<ServiceName> withoutPool) {

    public Survey {
        wants = List.copyOf(wants);
        ambiguous = List.copyOf(ambiguous);
        withoutPool = List.copyOf(withoutPool);
    }

    /**
     * {@link #wants} grouped by pool, which several Services may share; pools keep the order in which they first
     * appear.
     */
    public Map<PoolKey, List<Want>> wantsByPool() {
        return wants.stream().collect(Collectors.groupingBy(Want::pool, LinkedHashMap::new, Collectors.toList()));
    }

    /** The union of the addresses these Services want. */
    public static AddressSet union(List<Want> wants) {
        return wants.stream().map(Want::wanted).reduce(AddressSet.empty(), AddressSet::union);
    }

    /**
     * The addresses one Service wants in one pool.
     *
     * @param service the Service
     * @param pool its pool, in ARM's spelling
     * @param wanted the last reported set; before adoption, the addresses known so far
     * @param adopted whether the set has been complete at least once
     * @param complete whether it is complete now: a slice and every referenced node have been seen
     * @param paused whether the Service's annotation pauses its pools
     */
    public record Want(
            ServiceName service, PoolKey pool, AddressSet wanted, boolean adopted, boolean complete, boolean paused) {}

    /**
     * A Service whose pool name exists on several load balancers.
     *
     * @param service the Service
     * @param pool the pool name that several load balancers have
     * @param places those pools, at least two, in order
     */
    public record AmbiguousPool(ServiceName service, ArmName pool, List<PoolKey> places) {}
}
