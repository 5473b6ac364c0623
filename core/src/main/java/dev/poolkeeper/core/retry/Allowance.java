package dev.poolkeeper.core.retry;

import java.util.OptionalLong;

/**
 * The state and rule of one kind of budget. Not thread-safe: used under the budget's lock. The time passed in was read
 * before the lock was acquired, so an earlier call may have passed a later time.
 */
interface Allowance {

    /** See {@link RetryBudget#deposit}. */
    void deposit(long now);

    /** See {@link RetryBudget#tryWithdraw}. */
    boolean tryWithdraw(long now);

    /** See {@link RetryBudget#balance}. */
    OptionalLong balance(long now);

    /** Allows every retry. */
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

    /** Allows no retry. */
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
