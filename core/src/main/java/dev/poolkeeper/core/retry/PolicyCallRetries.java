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
 * Retries inside a call after a policy, under a budget. The policy may change while it is in use: an exchange goes by
 * the one that held when it began. Thread-safe; never blocks.
 */
public final class PolicyCallRetries implements CallRetries {

    private static final RetryBudget.InProgress NOTHING = () -> {};

    private final RetryBudget budget;
    private final Time time;
    private volatile Rules rules;

    /** A policy with the backoff made for it. */
    record Rule(RetryPolicy policy, Backoff backoff) {

        static Rule of(RetryPolicy policy) {
            return new Rule(policy, Backoff.atLeast(policy.backoff()));
        }
    }

    /** Which requests a rule is for. */
    private record RoutedRule(RequestCondition condition, Rule rule) {}

    /** @param otherwise for requests that are no route's */
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
     * @param budget what caps the retries of all exchanges together
     * @param time measures timeouts and draws waits
     */
    public PolicyCallRetries(RetryPolicy policy, RetryBudget budget, Time time) {
        this.budget = budget;
        this.time = time;
        this.rules = Rules.of(List.of(), policy);
    }

    /** From now on exchanges begin with this policy, whatever their route. */
    public void adjust(RetryPolicy policy) {
        adjust(List.of(), policy);
    }

    /**
     * From now on exchanges begin with the policy of their route.
     *
     * @param routes by precedence
     * @param otherwise for requests that are no route's
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
