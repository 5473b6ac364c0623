package dev.poolkeeper.core.retry;

import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/** A budget whose refusals are counted. As thread-safe as the budget itself. */
final class CountingBudget implements RetryBudget {

    private final RetryBudget budget;
    private final LongAdder refused = new LongAdder();

    CountingBudget(RetryBudget budget) {
        this.budget = budget;
    }

    long refused() {
        return refused.sum();
    }

    @Override
    public void deposit() {
        budget.deposit();
    }

    @Override
    public boolean tryWithdraw() {
        boolean admitted = budget.tryWithdraw();
        if (!admitted) {
            refused.increment();
        }
        return admitted;
    }

    @Override
    public void retryEnded() {
        budget.retryEnded();
    }

    @Override
    public void exchangeEnded() {
        budget.exchangeEnded();
    }

    @Override
    public OptionalLong balance() {
        return budget.balance();
    }

    @Override
    public String toString() {
        return budget.toString();
    }
}
