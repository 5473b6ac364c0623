package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Caps retries at a share of the traffic, so that retries cannot keep an overloaded backend down.
 *
 * <p>A first attempt deposits, a retry withdraws. Both end when the caller closes the returned object, after success or
 * failure; a {@code try} statement does this best.
 *
 * <p>{@link #tryWithdraw} never waits for the budget to fill, and a refused withdrawal changes nothing. Implementations
 * are thread-safe and never admit more than their rule allows, however many threads ask.
 */
public interface RetryBudget {

    /**
     * Records that a first attempt is being sent.
     *
     * @return must be closed when the exchange and all its retries have ended
     */
    InProgress deposit();

    /**
     * Asks whether a retry may be sent, and counts it if so.
     *
     * @return must be closed when the retry has ended; empty if it must not be sent
     */
    Optional<InProgress> tryWithdraw();

    /**
     * The number of retries that would be admitted right now; empty if there is no known limit. Has no side effects.
     */
    OptionalLong balance();

    /** An attempt that the budget counts until it is closed. Must be closed exactly once, by any thread. */
    @FunctionalInterface
    interface InProgress extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The budget of the given kind and size.
     *
     * @param nanoTime a clock in nanoseconds of any origin, as {@link System#nanoTime}. It may jump: a forward jump
     *     ages the counted attempts; a backward jump makes retries count as new and forgets first attempts, so that a
     *     jump never admits more retries
     */
    static RetryBudget of(BudgetSettings settings, LongSupplier nanoTime) {
        return new AdjustableBudget(settings, nanoTime);
    }

    /** Admits every retry. */
    RetryBudget ENDLESS = of(new BudgetSettings.Endless(), () -> 0);

    /** Admits no retry. */
    RetryBudget NONE = of(new BudgetSettings.None(), () -> 0);
}
