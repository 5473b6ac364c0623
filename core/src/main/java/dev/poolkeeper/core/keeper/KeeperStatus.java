package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.endpoints.Survey.AmbiguousPool;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.LeftAlone;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the keeper is doing, at one moment or nearly so.
 *
 * @param leading whether it leads
 * @param leadingSince since when it leads, or does not; empty where it never led
 * @param paused whether all writes are paused
 * @param lastListing when load balancers were last listed to the end; empty for never
 * @param listingFailure why the latest listing failed; empty where it did not
 * @param nextListing when they are listed next
 * @param lastResync when all pools were last compared; empty for never
 * @param nextResync when they are compared next; empty where that is off, or another leads
 * @param lastTick when a tick last ended well; empty for never
 * @param waiting how many operations wait
 * @param braked a removal that is held back
 * @param forbidden load balancers that are left alone
 * @param fights pools that somebody else keeps changing back, and until when they are not written
 * @param pausedServices the Services whose annotation pauses them
 * @param withoutPool local Services whose pool was not found
 * @param ambiguous Services whose pool several load balancers have
 * @param pools every pool of a local Service, sorted
 */
public record KeeperStatus(
        boolean leading,
        Optional<Instant> leadingSince,
        boolean paused,
        Optional<Instant> lastListing,
        Optional<Failure> listingFailure,
        Instant nextListing,
        Optional<Instant> lastResync,
        Optional<Instant> nextResync,
        Optional<Instant> lastTick,
        int waiting,
        Optional<BrakedRemoval> braked,
        List<LeftAlone> forbidden,
        Map<PoolKey, Instant> fights,
        Set<ServiceName> pausedServices,
        List<ServiceName> withoutPool,
        List<AmbiguousPool> ambiguous,
        List<PoolStatus> pools) {

    /**
     * How one pool is doing.
     *
     * @param pool the pool, in the spelling found at ARM
     * @param services the local Services whose pool it is, sorted
     * @param wanted what they want in it together
     * @param adopted whether all of these sets were complete once
     * @param known what is known of the pool; empty before its first listing
     * @param waiting whether something waits for it
     * @param attempts how many attempts at what waits have failed
     * @param parkedUntil until when it has to wait; empty for not at all
     */
    public record PoolStatus(
            PoolKey pool,
            List<ServiceName> services,
            AddressSet wanted,
            boolean adopted,
            Optional<KnownPool> known,
            boolean waiting,
            int attempts,
            Optional<Instant> parkedUntil) {

        /** What is wanted and was not there when the pool was last seen. */
        public AddressSet missing() {
            return wanted.minus(held());
        }

        /** What was there when the pool was last seen and is not wanted. */
        public AddressSet surplus() {
            return held().minus(wanted);
        }

        private AddressSet held() {
            return known.map(KnownPool::addresses).orElse(AddressSet.empty());
        }
    }
}
