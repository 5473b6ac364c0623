package dev.poolkeeper.azure;

import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP exchange with ARM, as gates, policies and listener see it.
 *
 * @param purpose what it is for
 * @param loadBalancer the load balancer it concerns; null for a listing
 * @param ifMatch the ETag that the resource must still have; null for none
 * @param waitedUntil until when it has waited for a gate already
 * @param deadline when its whole call is given up
 */
record ArmRequest(
        ArmCall.Purpose purpose,
        @Nullable ArmName loadBalancer,
        @Nullable String ifMatch,
        Instant waitedUntil,
        Deadline deadline) {

    static ArmRequest of(ArmCall.Purpose purpose, @Nullable ArmName loadBalancer, Deadline deadline) {
        return new ArmRequest(purpose, loadBalancer, null, Instant.MIN, deadline);
    }

    ArmRequest withIfMatch(String etag) {
        return new ArmRequest(purpose, loadBalancer, etag, waitedUntil, deadline);
    }

    ArmRequest havingWaitedUntil(Instant instant) {
        return new ArmRequest(purpose, loadBalancer, ifMatch, instant, deadline);
    }

    boolean isWrite() {
        return purpose == ArmCall.Purpose.WRITE;
    }
}
