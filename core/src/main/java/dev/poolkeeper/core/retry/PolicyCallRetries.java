package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.RetryPolicy;

/**
 * Retries inside a call after a policy, under a budget. The policy may change while it is in use: an exchange goes by
 * the one that held when it began. Thread-safe; never blocks.
 */
public final class PolicyCallRetries implements CallRetries {

    private static final RetryBudget.InProgress NOTHING = () -> {};

    private final RetryBudget budget;
    private final Time time;
    private volatile Rule rule;

    /** A policy with the backoff made for it. */
    record Rule(RetryPolicy policy, Backoff backoff) {}

    /**
     * @param budget what caps the retries of all exchanges together
     * @param time measures timeouts and draws waits
     */
    public PolicyCallRetries(RetryPolicy policy, RetryBudget budget, Time time) {
        this.budget = budget;
        this.time = time;
        this.rule = ruleOf(policy);
    }

    /** From now on exchanges begin with this policy. */
    public void adjust(RetryPolicy policy) {
        rule = ruleOf(policy);
    }

    private static Rule ruleOf(RetryPolicy policy) {
        return new Rule(policy, Backoff.atLeast(policy.backoff()));
    }

    @Override
    public Exchange begin(CallContext context) {
        return new PolicyExchange(rule, budget, context.isRetry() ? NOTHING : budget.deposit(), context.term(), time);
    }
}
