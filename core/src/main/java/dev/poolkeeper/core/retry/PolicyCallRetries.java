package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;

/**
 * Retries inside a call according to a policy, capped by a budget. The policy may change while in use: an exchange
 * keeps the policy with which it began. Thread-safe; never blocks.
 */
public final class PolicyCallRetries implements CallRetries {

    private static final RetryBudget.InProgress NOTHING = () -> {};

    private final RetryBudget budget;
    private final Time time;
    private volatile RetrySettings settings;

    /**
     * @param budget caps the retries of all exchanges together
     * @param time measures timeouts and draws waits
     */
    public PolicyCallRetries(RetryPolicy policy, RetryBudget budget, Time time) {
        this(RetrySettings.of(policy), budget, time);
    }

    PolicyCallRetries(RetrySettings settings, RetryBudget budget, Time time) {
        this.settings = settings;
        this.budget = budget;
        this.time = time;
    }

    /** Sets the policies, by route, of exchanges that begin from now on. */
    void adjust(RetrySettings newSettings) {
        settings = newSettings;
    }

    @Override
    public Exchange begin(CallContext context) {
        return begin(context, settings.policy());
    }

    @Override
    public Exchange begin(CallContext context, RequestHead request) {
        return begin(context, settings.policyOf(request));
    }

    private Exchange begin(CallContext context, RetryPolicy policy) {
        return new PolicyExchange(policy, budget, context.isRetry() ? NOTHING : budget.deposit(), context.term(), time);
    }
}
