package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A snapshot of the whole index. Taking it costs time proportional to the number of Services in the cluster.
 *
 * @param wants the addresses each local Service wants in each of its pools, unordered
 * @param ambiguous the Services of whose pool name several load balancers hold a pool; sorted
 * @param clashes the Services that are not local in a family only because an older one uses their pool for the other
 *     family; sorted
 * @param withoutPool the Services that are not local only because no load balancer holds their pool; sorted
 */
public record Survey(
        List<Want> wants, List<AmbiguousPool> ambiguous, List<FamilyClash> clashes, List<ServiceName> withoutPool) {

    public Survey {
        wants = List.copyOf(wants);
        ambiguous = List.copyOf(ambiguous);
        clashes = List.copyOf(clashes);
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
     * Whether the pool of these Services needs no update while it holds these addresses. As long as none of their sets
     * has ever been complete, nothing is removed.
     */
    public static boolean agrees(List<Want> wants, AddressSet held) {
        AddressSet wanted = union(wants);
        return wants.stream().anyMatch(Want::adopted) ? wanted.equals(held) : wanted.common(held) == wanted.size();
    }

    /**
     * The addresses one Service wants in one pool.
     *
     * @param service the Service
     * @param pool its pool, in ARM's spelling
     * @param wanted the last reported set
     * @param adopted whether the set has been complete at least once; until then it only grows
     * @param complete whether it is complete now: a slice and every referenced node have been seen, or the node has
     *     been missing for a minute
     * @param paused whether the Service's annotation pauses its pools
     */
    public record Want(
            ServiceName service, PoolKey pool, AddressSet wanted, boolean adopted, boolean complete, boolean paused) {

        /** Whether anything is known of what it wants. */
        public boolean isReported() {
            return adopted || !wanted.isEmpty();
        }
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
