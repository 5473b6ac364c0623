package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.retry.RetryBudget;
import java.util.Optional;
import java.util.OptionalLong;

/** A planted bug: no retry is ever admitted. */
record EmptyBudget(RetryBudget budget) implements RetryBudget {

    @Override
    public InProgress deposit() {
        return budget.deposit();
    }

    @Override
    public Optional<InProgress> tryWithdraw() {
        return Optional.empty();
    }

    @Override
    public OptionalLong balance() {
        return OptionalLong.of(0);
    }
}
