package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Survey.AmbiguousPool;
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
 * How an engine is doing, at one moment or nearly so.
 *
 * @param at that moment
 * @param leading whether it leads
 * @param leadingSince since when it leads, or does not; empty where it never led
 * @param listing what is known of the load balancers, and since when
 * @param work what waits
 * @param holds what is held back on purpose
 * @param freshness how long pools have not been as wanted, in the terms as leader of this process
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

    /**
     * When load balancers are listed, and pools compared with what is wanted.
     *
     * @param last when a listing last began that succeeded; empty for never
     * @param failure why the latest listing failed; empty where it did not
     * @param next when the next one is due; this moment if it is overdue
     * @param lastResync when all pools were last compared; empty for never
     * @param nextResync when they are compared next; empty where that is off, or another replica leads
     * @param withoutPool local Services whose pool was not found, in order
     * @param ambiguous Services whose pool several load balancers have, in order
     */
    public record Listing(
            Optional<Instant> last,
            Optional<Failure> failure,
            Instant next,
            Optional<Instant> lastResync,
            Optional<Instant> nextResync,
            List<ServiceName> withoutPool,
            List<AmbiguousPool> ambiguous) {

        public Listing {
            withoutPool = List.copyOf(withoutPool);
            ambiguous = List.copyOf(ambiguous);
        }
    }

    /**
     * What waits.
     *
     * @param operations how many operations wait
     * @param parkedPools how many pools have to wait for an instant
     * @param nextEligibleAt the first of these instants; empty for none
     * @param lastEligibleAt the last of these instants; empty for none
     */
    public record Work(
            int operations, int parkedPools, Optional<Instant> nextEligibleAt, Optional<Instant> lastEligibleAt) {}

    /**
     * What is held back on purpose.
     *
     * @param paused whether all writes are paused
     * @param braked the removals that the safety brake holds, the oldest first
     * @param forbidden the load balancers that answered 403
     * @param fights pools that another writer keeps changing back, and until when they are not written
     * @param pausedServices the local Services whose annotation pauses them, in order
     */
    public record Holds(
            boolean paused,
            List<BrakedRemoval> braked,
            List<Forbidden> forbidden,
            Map<PoolKey, Instant> fights,
            List<ServiceName> pausedServices) {

        /** Nothing is held back. */
        static final Holds NONE = new Holds(false, List.of(), List.of(), Map.of(), List.of());

        public Holds {
            braked = List.copyOf(braked);
            forbidden = List.copyOf(forbidden);
            fights = Map.copyOf(fights);
            pausedServices = List.copyOf(pausedServices);
        }
    }
}
