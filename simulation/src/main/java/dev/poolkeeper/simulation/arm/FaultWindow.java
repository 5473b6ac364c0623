package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.ports.ArmName;
import org.jspecify.annotations.Nullable;

/**
 * A fault that some requests meet for some time.
 *
 * @param fault what they meet
 * @param untilNanos when it ends
 * @param share how many of the requests that it fits meet it
 * @param loadBalancer for which load balancer, null for all
 * @param retryAfter the header of a 429, null for none
 */
public record FaultWindow(
        ArmFault fault,
        long untilNanos,
        double share,
        @Nullable ArmName loadBalancer,
        @Nullable String retryAfter) {}
