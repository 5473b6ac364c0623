package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Caps retries at a share of the traffic, so that retries never become the load that keeps a backend down.
 *
 * <p>A first attempt deposits, a retry withdraws. {@link #tryWithdraw} never waits for the budget to fill, and a
 * refused withdrawal changes nothing. Implementations are thread-safe and never admit more than their rule allows,
 * however many threads ask.
 */
public interface RetryBudget {

    /** A first attempt is being sent. */
    void deposit();

    /** Whether a retry may be sent; if so, it has been counted. */
    boolean tryWithdraw();

    /** How many retries would be admitted at once now; empty where there is no limit that is known. Changes nothing. */
    default OptionalLong balance() {
        return OptionalLong.empty();
    }

    /** A retry that was admitted has ended, well or not. Only budgets of what is under way listen. */
    default void retryEnded() {}

    /** What began with a deposit is over with all its retries. Only budgets of what is under way listen. */
    default void exchangeEnded() {}

    /**
     * The budget of the given kind and size.
     *
     * @param nanoTime a clock in nanoseconds of any origin, as {@link System#nanoTime}; it may jump, see
     *     {@link WindowBudget}
     */
    static RetryBudget of(BudgetSettings settings, LongSupplier nanoTime) {
        return switch (settings) {
            case BudgetSettings.GatewayApi gatewayApi -> new GatewayApiBudget(gatewayApi, nanoTime);
            case BudgetSettings.Linkerd linkerd -> new LinkerdBudget(linkerd, nanoTime);
            case BudgetSettings.Envoy envoy -> new EnvoyBudget(envoy);
            case BudgetSettings.None none -> NONE;
            case BudgetSettings.Endless endless -> ENDLESS;
        };
    }

    /** Admits every retry. */
    RetryBudget ENDLESS = new RetryBudget() {
        @Override
        public void deposit() {}

        @Override
        public boolean tryWithdraw() {
            return true;
        }

        @Override
        public String toString() {
            return "endless retry budget";
        }
    };

    /** Admits no retry. */
    RetryBudget NONE = new RetryBudget() {
        @Override
        public void deposit() {}

        @Override
        public boolean tryWithdraw() {
            return false;
        }

        @Override
        public OptionalLong balance() {
            return OptionalLong.of(0);
        }

        @Override
        public String toString() {
            return "no retry budget";
        }
    };
}
