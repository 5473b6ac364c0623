package dev.poolkeeper.ports.retry;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * All that is set about retries.
 *
 * @param routes policies of some requests, by precedence: the first whose condition matches holds
 * @param policy when an exchange is retried inside a call that is no route's
 * @param constraint the budget that is configured: one for retries inside calls and across ticks together; empty where
 *     none is
 */
public record RetrySettings(List<RetryRoute> routes, RetryPolicy policy, Optional<BudgetSettings> constraint) {

    /** Where nothing is set. */
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

    /** A policy, and no budget configured. */
    public static RetrySettings of(RetryPolicy policy) {
        return new RetrySettings(policy, Optional.empty());
    }

    /** A policy, and a budget for retries inside calls and across ticks together. */
    public static RetrySettings of(RetryPolicy policy, BudgetSettings constraint) {
        return new RetrySettings(policy, Optional.of(constraint));
    }

    /** The budget of retries inside calls, which is there in any case. */
    public BudgetSettings budget() {
        return constraint.orElse(BudgetSettings.DEFAULT);
    }
}
