package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.retry.RetryBudget;
import java.util.Optional;
import java.util.OptionalLong;

/** Reports the use of the retry budget across ticks to the witness. */
final class ObservedBudget implements RetryBudget {

    private final RetryBudget budget;
    private final SimulatedDaemon daemon;
    private final Witness witness;

    ObservedBudget(RetryBudget budget, SimulatedDaemon daemon, Witness witness) {
        this.budget = budget;
        this.daemon = daemon;
        this.witness = witness;
    }

    @Override
    public InProgress deposit() {
        witness.deposited(daemon);
        return budget.deposit();
    }

    @Override
    public Optional<InProgress> tryWithdraw() {
        Optional<InProgress> admitted = budget.tryWithdraw();
        witness.withdrew(daemon, admitted.isPresent());
        return admitted;
    }

    @Override
    public OptionalLong balance() {
        return budget.balance();
    }
}
