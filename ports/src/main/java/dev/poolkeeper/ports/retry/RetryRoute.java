package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

/**
 * A policy that applies only to some requests. Immutable.
 *
 * @param condition selects the requests
 * @param policy when they are retried, and how long they may take
 */
public record RetryRoute(RequestCondition condition, RetryPolicy policy) {

    public RetryRoute {
        requireNonNull(condition, "condition");
        requireNonNull(policy, "policy");
    }
}
