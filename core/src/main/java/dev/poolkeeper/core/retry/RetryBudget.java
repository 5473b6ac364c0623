package dev.poolkeeper.core.retry;

/**
 * Caps retries at a share of the traffic, so that retries never become the load that keeps a backend down.
 *
 * <p>A first attempt deposits, a retry withdraws. {@link #tryWithdraw} never blocks, and a refused withdrawal changes
 * nothing. Implementations are thread-safe and never admit more than their rule allows, however many threads ask.
 */
public interface RetryBudget {

    /** A first attempt is being sent. */
    void deposit();

    /** Whether a retry may be sent; if so, it has been counted. */
    boolean tryWithdraw();

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
        public String toString() {
            return "no retry budget";
        }
    };
}
