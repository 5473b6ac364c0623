package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.RequestCondition;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import java.util.List;

/**
 * Retries inside a call according to a policy, capped by a budget. The policy may change while in use: an exchange
 * keeps the policy with which it began. Thread-safe; never blocks.
 */
public final class PolicyCallRetries implements CallRetries {

    private static final RetryBudget.InProgress NOTHING = () -> {};

    private final RetryBudget budget;
    private final Time time;
    private volatile Rules rules;

    /** A policy with its backoff. */
    record Rule(RetryPolicy policy, Backoff backoff) {

        static Rule of(RetryPolicy policy) {
            return new Rule(policy, Backoff.atLeast(policy.backoff()));
        }
    }

    /** A rule and the condition that selects its requests. */
    private record RoutedRule(RequestCondition condition, Rule rule) {}

    /** @param otherwise for requests that match no route */
    private record Rules(List<RoutedRule> routes, Rule otherwise) {

        static Rules of(List<RetryRoute> routes, RetryPolicy otherwise) {
            return new Rules(
                    routes.stream()
                            .map(route -> new RoutedRule(route.condition(), Rule.of(route.policy())))
                            .toList(),
                    Rule.of(otherwise));
        }

        Rule of(RequestHead request) {
            for (RoutedRule route : routes) {
                if (route.condition().matches(request)) {
                    return route.rule();
                }
            }
            return otherwise;
        }
    }

    /**
     * @param budget caps the retries of all exchanges together
     * @param time measures timeouts and draws waits
     */
    public PolicyCallRetries(RetryPolicy policy, RetryBudget budget, Time time) {
        this.budget = budget;
        this.time = time;
        this.rules = Rules.of(List.of(), policy);
    }

    /** Sets the policy of exchanges that begin from now on, regardless of route. */
    public void adjust(RetryPolicy policy) {
        adjust(List.of(), policy);
    }

    /**
     * Sets the policies, by route, of exchanges that begin from now on.
     *
     * @param routes in order of precedence
     * @param otherwise for requests that match no route
     */
    public void adjust(List<RetryRoute> routes, RetryPolicy otherwise) {
        rules = Rules.of(routes, otherwise);
    }

    @Override
    public Exchange begin(CallContext context) {
        return begin(context, rules.otherwise());
    }

    @Override
    public Exchange begin(CallContext context, RequestHead request) {
        return begin(context, rules.of(request));
    }

    private Exchange begin(CallContext context, Rule rule) {
        return new PolicyExchange(rule, budget, context.isRetry() ? NOTHING : budget.deposit(), context.term(), time);
    }
}
