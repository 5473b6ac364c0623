package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at an HTTP exchange with ARM that is about to start.
 *
 * @param purpose its purpose
 * @param loadBalancer the load balancer it concerns; null for a listing
 * @param number 1 for the first attempt, higher for retries
 * @param context the context of the call that it belongs to
 */
public record ArmAttempt(ArmCall.Purpose purpose, @Nullable ArmName loadBalancer, int number, CallContext context) {}
