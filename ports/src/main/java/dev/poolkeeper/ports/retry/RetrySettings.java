package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * All settings for retries.
 *
 * @param routes policies of some requests, in order of precedence: the first matching one applies
 * @param policy the policy of calls that match no route
 * @param constraint the configured budget, shared by retries inside calls and across ticks; empty if none is configured
 */
public record RetrySettings(List<RetryRoute> routes, RetryPolicy policy, Optional<BudgetSettings> constraint) {

    /** The settings if nothing is configured. */
    public static final RetrySettings DEFAULT = of(RetryPolicy.DEFAULT);

    public RetrySettings {
        routes = List.copyOf(routes);
        requireNonNull(policy, "policy");
        requireNonNull(constraint, "constraint");
    }

    /** One policy for all requests. */
    public RetrySettings(RetryPolicy policy, Optional<BudgetSettings> constraint) {
        this(List.of(), policy, constraint);
    }

    /** A policy without a configured budget. */
    public static RetrySettings of(RetryPolicy policy) {
        return new RetrySettings(policy, Optional.empty());
    }

    /** A policy and a budget shared by retries inside calls and across ticks. */
    public static RetrySettings of(RetryPolicy policy, BudgetSettings constraint) {
        return new RetrySettings(policy, Optional.of(constraint));
    }

    /** The policy of a request. */
    public RetryPolicy policyOf(RequestHead request) {
        for (RetryRoute route : routes) {
            if (route.condition().test(request)) {
                return route.policy();
            }
        }
        return policy;
    }

    /** The budget of retries inside calls, which always exists. */
    public BudgetSettings budget() {
        return constraint.orElse(BudgetSettings.DEFAULT);
    }
}
