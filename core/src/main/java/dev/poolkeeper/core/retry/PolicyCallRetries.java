package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Retries inside a call after a policy, under a budget. The policy may change while it is in use: an exchange goes by
 * the one that held when it began. Thread-safe; never blocks.
 */
public final class PolicyCallRetries implements CallRetries {

    private final RetryBudget budget;
    private final LongSupplier nanoTime;
    private final DoubleSupplier draws;
    private volatile Rule rule;

    /** A policy with the backoff made for it. */
    record Rule(RetryPolicy policy, Backoff backoff) {}

    /**
     * @param budget what caps the retries of all exchanges together
     * @param nanoTime a clock in nanoseconds of any origin, as {@link System#nanoTime}
     * @param draws random draws from 0 inclusive to 1 exclusive, from any thread
     */
    public PolicyCallRetries(RetryPolicy policy, RetryBudget budget, LongSupplier nanoTime, DoubleSupplier draws) {
        this.budget = budget;
        this.nanoTime = nanoTime;
        this.draws = draws;
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
        if (!context.isRetry()) {
            budget.deposit();
        }
        return new PolicyExchange(rule, budget, context, nanoTime, draws);
    }
}
