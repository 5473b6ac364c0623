package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The retry policy and the retry budget, adjustable together while they are in use: nothing that was spent is given
 * back. Thread-safe.
 *
 * <p>The budget always governs retries inside calls. Retries across ticks, which {@code maxRetries} and the interval
 * bound already, withdraw from it only where a budget is configured; then it is one budget for both.
 */
public final class RetryModel {

    private final Time time;
    private final AdjustableBudget budget;
    private final PolicyCallRetries calls;
    private final RetryBudget acrossTicks = new AcrossTicks();
    private volatile boolean isConstrained;

    /**
     * How the budget is doing.
     *
     * @param rule its kind and size, in words
     * @param balance how many retries would be admitted at once now; empty where there is no limit
     * @param refused how many it refused since the start, across ticks and inside calls
     */
    public record BudgetStatus(String rule, OptionalLong balance, long refused) {}

    public RetryModel(RetrySettings settings, Time time) {
        budget = new AdjustableBudget(settings.budget(), time::nanoTime);
        this.time = time;
        calls = new PolicyCallRetries(settings.policy(), budget, time);
        calls.adjust(settings.routes(), settings.policy());
        isConstrained = settings.constraint().isPresent();
    }

    /** What adapters ask before they retry inside a call. */
    public CallRetries calls() {
        return calls;
    }

    /** What is asked before a retry by who has chosen a policy already; under the same budget as all others. */
    public CallRetries calls(RetryPolicy policy) {
        return new PolicyCallRetries(policy, budget, time);
    }

    /** What the engine asks before it sends again in a later tick: endless, unless a budget is configured. */
    public RetryBudget acrossTicks() {
        return acrossTicks;
    }

    /** The budget that {@link #calls} are under. */
    public RetryBudget budget() {
        return budget;
    }

    /** How that budget is doing now. */
    public BudgetStatus status() {
        return new BudgetStatus(budget.toString(), budget.balance(), budget.refused());
    }

    /** From now on these settings hold. */
    public void adjust(RetrySettings settings) {
        budget.adjust(settings.budget());
        calls.adjust(settings.routes(), settings.policy());
        isConstrained = settings.constraint().isPresent();
    }

    /** As the settings of the moment say. */
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
