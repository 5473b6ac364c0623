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
 * What the whole index says at one moment. Taking it costs in proportion to the cluster's Services.
 *
 * @param wants what each local Service wants in each of its pools, in no order
 * @param ambiguous every Service that is not local only because several load balancers hold a pool of its name; in
 *     order
 * @param withoutPool every Service that is not local only because no load balancer holds its pool; in order
 */
public record Survey(List<Want> wants, List<AmbiguousPool> ambiguous, List<ServiceName> withoutPool) {

    public Survey {
        wants = List.copyOf(wants);
        ambiguous = List.copyOf(ambiguous);
        withoutPool = List.copyOf(withoutPool);
    }

    /** The same by pool, which several Services may share; in the order in which {@link #wants} names the pools. */
    public Map<PoolKey, List<Want>> wantsByPool() {
        return wants.stream().collect(Collectors.groupingBy(Want::pool, LinkedHashMap::new, Collectors.toList()));
    }

    /** All addresses that some Services want. */
    public static AddressSet union(List<Want> wants) {
        return wants.stream().map(Want::wanted).reduce(AddressSet.empty(), AddressSet::union);
    }

    /**
     * What one Service wants in one pool.
     *
     * @param service the Service
     * @param pool its pool, in the spelling found at ARM
     * @param wanted what was reported last; before the adoption, what is known so far
     * @param adopted whether the set was complete once
     * @param complete whether it is complete now: a slice was seen, and every node that it names
     * @param paused whether the Service's annotation pauses its pools
     */
    public record Want(
            ServiceName service, PoolKey pool, AddressSet wanted, boolean adopted, boolean complete, boolean paused) {}

    /**
     * A Service whose pool cannot be told from another.
     *
     * @param service the Service
     * @param pool the name that several load balancers have a pool of
     * @param places those pools, at least two, in order
     */
    public record AmbiguousPool(ServiceName service, ArmName pool, List<PoolKey> places) {}
}
