package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

import java.util.function.Predicate;

/**
 * A policy that applies only to some requests. Immutable.
 *
 * @param condition selects the requests; its {@code toString} is a short description
 * @param policy when they are retried, and how long they may take
 */
public record RetryRoute(Predicate<RequestHead> condition, RetryPolicy policy) {

    public RetryRoute {
        requireNonNull(condition, "condition");
        requireNonNull(policy, "policy");
    }
}
