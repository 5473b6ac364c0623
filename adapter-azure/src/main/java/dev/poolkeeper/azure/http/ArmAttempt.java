package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at an HTTP exchange with ARM that is about to begin.
 *
 * @param purpose what it is for
 * @param loadBalancer the load balancer it concerns; null for a listing
 * @param number 1 for the first attempt, more for its retries
 * @param context what the call that it is part of carries
 */
public record ArmAttempt(ArmCall.Purpose purpose, @Nullable ArmName loadBalancer, int number, CallContext context) {}
