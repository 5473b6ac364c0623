package dev.poolkeeper.emulators.arm;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A long-running operation: a write that was accepted. Immutable.
 *
 * @param id its id
 * @param kind its name in the network provider's messages, such as {@code PutLoadBalancerBackendAddressPoolOperation}
 * @param loadBalancer the load balancer that it works on, or on one of whose pools
 * @param pool the pool that it works on, null for the load balancer itself
 * @param startedAt when it was accepted, on the operations' clock
 * @param endsAt when it ends or ended, on the operations' clock
 * @param status how it stands: {@code InProgress}, {@code Succeeded}, {@code Failed} or {@code Canceled}
 * @param error the error that it ended with, as JSON; null where it did not
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
