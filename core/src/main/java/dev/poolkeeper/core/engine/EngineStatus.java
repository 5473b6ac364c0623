package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.Forbidden;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of an engine; its parts may be taken at slightly different times.
 *
 * @param at when it was taken
 * @param leading whether this process is the leader
 * @param leadingSince when leadership was last gained or lost; empty if this process never led
 * @param listing when load balancers are listed and pools compared
 * @param work the operations that wait
 * @param holds what guards and pauses hold
 * @param freshness how long pools have differed from the wanted addresses while this process was the leader
 * @param pools every pool of a local Service, sorted
 */
public record EngineStatus(
        Instant at,
        boolean leading,
        Optional<Instant> leadingSince,
        Listing listing,
        Work work,
        Holds holds,
        Freshness.Snapshot freshness,
        List<PoolStatus> pools) {

    public EngineStatus {
        pools = List.copyOf(pools);
    }

    /** The number of pools in {@link PoolStatus#isOutage outage}, adopted or not. */
    public long outages() {
        return pools.stream().filter(PoolStatus::isOutage).count();
    }

    /**
     * When load balancers are listed and pools compared with the wanted addresses.
     *
     * @param last when the last successful listing began; empty for never
     * @param failure why the latest listing failed; empty if it succeeded
     * @param next when the next listing is due; the current time if it is overdue
     * @param lastResync when all pools were last compared; empty for never
     * @param nextResync when they are compared next; empty if resync is off or this process is not the leader
     * @param withoutPool local Services whose pool was not found, sorted
     * @param ambiguous Services whose pool name exists on several load balancers, sorted
     * @param clashes Services whose pool an older one uses for the other IP family, sorted
     */
    public record Listing(
            Optional<Instant> last,
            Optional<Failure> failure,
            Instant next,
            Optional<Instant> lastResync,
            Optional<Instant> nextResync,
            List<ServiceName> withoutPool,
            List<AmbiguousPool> ambiguous,
            List<FamilyClash> clashes) {

        public Listing {
            withoutPool = List.copyOf(withoutPool);
            ambiguous = List.copyOf(ambiguous);
            clashes = List.copyOf(clashes);
        }
    }

    /**
     * The operations that wait.
     *
     * @param operations the number of waiting operations
     * @param parkedPools the number of pools that must wait for a point in time
     * @param nextEligibleAt the earliest of these times; empty for none
     * @param lastEligibleAt the latest of these times; empty for none
     */
    public record Work(
            int operations, int parkedPools, Optional<Instant> nextEligibleAt, Optional<Instant> lastEligibleAt) {}

    /**
     * What guards and pauses hold.
     *
     * @param paused whether all writes are paused
     * @param braked the removals that the safety brake holds, the oldest first
     * @param forbidden the load balancers with pools for which ARM answered 403
     * @param fights pools that another writer keeps changing back, and the time before which they are not written
     * @param pausedServices the local Services whose annotation pauses them, in order
     */
    public record Holds(
            boolean paused,
            List<BrakedRemoval> braked,
            List<Forbidden> forbidden,
            Map<PoolKey, Instant> fights,
            List<ServiceName> pausedServices) {

        /** Nothing is held. */
        static final Holds NONE = new Holds(false, List.of(), List.of(), Map.of(), List.of());

        public Holds {
            braked = List.copyOf(braked);
            forbidden = List.copyOf(forbidden);
            fights = Map.copyOf(fights);
            pausedServices = List.copyOf(pausedServices);
        }
    }
}
