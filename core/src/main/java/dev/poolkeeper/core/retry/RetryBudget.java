package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Caps retries at a share of the traffic, so that retries never become the load that keeps a backend down.
 *
 * <p>A first attempt deposits, a retry withdraws. Both are given back when they are over, well or not: the caller
 * closes what was returned, best in a {@code try} statement.
 *
 * <p>{@link #tryWithdraw} never waits for the budget to fill, and a refused withdrawal changes nothing. Implementations
 * are thread-safe and never admit more than their rule allows, however many threads ask.
 */
public interface RetryBudget {

    /**
     * A first attempt is being sent.
     *
     * @return to be closed when the exchange is over with all its retries
     */
    InProgress deposit();

    /**
     * Asks whether a retry may be sent; if so, it has been counted.
     *
     * @return to be closed when the retry is over; empty if it may not be sent
     */
    Optional<InProgress> tryWithdraw();

    /** How many retries would be admitted at once now; empty where there is no limit that is known. Changes nothing. */
    OptionalLong balance();

    /** What a budget counts until it is closed. To be closed once, by any thread. */
    @FunctionalInterface
    interface InProgress extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The budget of the given kind and size.
     *
     * @param nanoTime a clock in nanoseconds of any origin, as {@link System#nanoTime}. It may jump: forward, what was
     *     counted grows old; back, retries start to age again and first attempts are forgotten, so that a jump never
     *     admits more
     */
    static RetryBudget of(BudgetSettings settings, LongSupplier nanoTime) {
        return new AdjustableBudget(settings, nanoTime);
    }

    /** Admits every retry. */
    RetryBudget ENDLESS = of(new BudgetSettings.Endless(), () -> 0);

    /** Admits no retry. */
    RetryBudget NONE = of(new BudgetSettings.None(), () -> 0);
}
