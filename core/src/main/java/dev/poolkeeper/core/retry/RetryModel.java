package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The retry policy and the retry budget, which can be adjusted together while in use; withdrawals are never refunded.
 * Thread-safe.
 *
 * <p>The budget always governs retries inside calls. Retries across ticks, already bounded by {@code maxRetries} and
 * the interval, withdraw from it only if a budget is configured; then both share one budget.
 */
public final class RetryModel {

    private final Time time;
    private final AdjustableBudget budget;
    private final PolicyCallRetries calls;
    private final RetryBudget acrossTicks = new AcrossTicks();
    private volatile boolean isConstrained;

    /**
     * The status of the budget.
     *
     * @param rule its kind and size, in words
     * @param balance the number of retries that would be admitted right now; empty if there is no limit
     * @param refused the number of refused retries since the start, across ticks and inside calls
     */
    public record BudgetStatus(String rule, OptionalLong balance, long refused) {}

    public RetryModel(RetrySettings settings, Time time) {
        budget = new AdjustableBudget(settings.budget(), time::nanoTime);
        this.time = time;
        calls = new PolicyCallRetries(settings, budget, time);
        isConstrained = settings.constraint().isPresent();
    }

    /** Decides about retries inside calls, for adapters. */
    public CallRetries calls() {
        return calls;
    }

    /** Decides about retries inside calls for a caller with its own policy, under the same budget as all others. */
    public CallRetries calls(RetryPolicy policy) {
        return new PolicyCallRetries(policy, budget, time);
    }

    /** The budget for the engine's retries in later ticks: endless, unless a budget is configured. */
    public RetryBudget acrossTicks() {
        return acrossTicks;
    }

    /** The budget of {@link #calls}. */
    public RetryBudget budget() {
        return budget;
    }

    /** The current status of that budget. */
    public BudgetStatus status() {
        return new BudgetStatus(budget.toString(), budget.balance(), budget.refused());
    }

    /** Applies new settings. */
    public void adjust(RetrySettings settings) {
        budget.adjust(settings.budget());
        calls.adjust(settings);
        isConstrained = settings.constraint().isPresent();
    }

    /** Follows the current settings. */
    private final class AcrossTicks implements RetryBudget {

        private RetryBudget current() {
            return isConstrained ? budget : RetryBudget.ENDLESS;
        }

        @Override
        public InProgress deposit() {
            return current().deposit();
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            return current().tryWithdraw();
        }

        @Override
        public OptionalLong balance() {
            return current().balance();
        }

        @Override
        public String toString() {
            return current().toString();
        }
    }
}
