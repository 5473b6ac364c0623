package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.ports.ArmName;
import org.jspecify.annotations.Nullable;

/**
 * A fault that some requests encounter for some time.
 *
 * @param fault the fault
 * @param untilNanos when it ends
 * @param share the share of matching requests that encounter it
 * @param loadBalancer the affected load balancer, null for all
 * @param retryAfter the {@code Retry-After} header of a 429, null for none
 */
public record FaultWindow(
        ArmFault fault,
        long untilNanos,
        double share,
        @Nullable ArmName loadBalancer,
        @Nullable String retryAfter) {}
