package dev.poolkeeper.core.retry;

import java.util.OptionalLong;

/**
 * What one kind of budget remembers, and what it allows. Not thread-safe: used under the budget's lock. The time that
 * it is given was read before the lock was taken, so another thread may have brought a later one.
 */
interface Allowance {

    /** See {@link RetryBudget#deposit}. */
    void deposit(long now);

    /** See {@link RetryBudget#tryWithdraw}. */
    boolean tryWithdraw(long now);

    /** See {@link RetryBudget#balance}. */
    OptionalLong balance(long now);

    /** Every retry. */
    Allowance ENDLESS = new Allowance() {
        @Override
        public void deposit(long now) {}

        @Override
        public boolean tryWithdraw(long now) {
            return true;
        }

        @Override
        public OptionalLong balance(long now) {
            return OptionalLong.empty();
        }
    };

    /** No retry. */
    Allowance NONE = new Allowance() {
        @Override
        public void deposit(long now) {}

        @Override
        public boolean tryWithdraw(long now) {
            return false;
        }

        @Override
        public OptionalLong balance(long now) {
            return OptionalLong.of(0);
        }
    };
}
