package dev.poolkeeper.emulators.arm;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A long-running operation: a write that was accepted. Immutable.
 *
 * @param id its id
 * @param kind its name in the network provider's messages, such as {@code PutLoadBalancerBackendAddressPoolOperation}
 * @param loadBalancer its load balancer
 * @param pool its pool; null for an operation on the load balancer itself
 * @param startedAt when it was accepted, on the operations' clock
 * @param endsAt when it ends or ended, on the operations' clock
 * @param status its status: {@code InProgress}, {@code Succeeded}, {@code Failed} or {@code Canceled}
 * @param error its error, as JSON; null if there is none
 */
public record ArmOperation(
        String id,
        String kind,
        String loadBalancer,
        @Nullable String pool,
        Instant startedAt,
        Instant endsAt,
        String status,
        @Nullable String error) {}
