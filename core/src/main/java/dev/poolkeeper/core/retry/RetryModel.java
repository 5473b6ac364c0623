package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The retry policy and the one budget of both layers, adjustable together while they are in use: nothing that was spent
 * is given back. Thread-safe.
 */
public final class RetryModel {

    private final AdjustableBudget budget;
    private final CountingBudget counted;
    private final PolicyCallRetries calls;

    /**
     * @param nanoTime a clock in nanoseconds of any origin, as {@link System#nanoTime}
     * @param draws random draws from 0 inclusive to 1 exclusive, from any thread
     */
    public RetryModel(RetrySettings settings, LongSupplier nanoTime, DoubleSupplier draws) {
        budget = new AdjustableBudget(settings.budget(), nanoTime);
        counted = new CountingBudget(budget);
        calls = new PolicyCallRetries(settings.policy(), counted, nanoTime, draws);
    }

    /** What adapters ask. */
    public CallRetries calls() {
        return calls;
    }

    /** What the updater asks before it sends again. */
    public RetryBudget budget() {
        return counted;
    }

    /** How many retries of both layers the budget refused. */
    public long refused() {
        return counted.refused();
    }

    /** From now on these settings hold. */
    public void adjust(RetrySettings settings) {
        budget.adjust(settings.budget());
        calls.adjust(settings.policy());
    }
}
