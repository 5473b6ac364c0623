package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.Term;
import java.util.Optional;

/**
 * Updates pools: each {@link Attempt} that is not held by what is known of the pool, and that the retry budget admits.
 */
final class PoolUpdate {

    private static final Held OVER_BUDGET = new Held(
            Held.By.RETRY_BUDGET,
            Optional.empty(),
            "Backend pool update held back: the retry budget is exhausted.",
            "It is retried when the budget allows it.");

    static final String BUDGET = "RetryBudget";

    private final Assembly assembly;
    private final Term term;
    private final SharedHold hold;
    private final Conclusions conclusions;

    PoolUpdate(Assembly assembly, Term term, SharedHold hold, Conclusions conclusions) {
        this.assembly = assembly;
        this.term = term;
        this.hold = hold;
        this.conclusions = conclusions;
    }

    void run(OperationGroup drained, Lane lane) {
        Optional<OperationGroup> relevant = conclusions.relevant(drained);
        if (relevant.isEmpty() || !term.isCurrent()) {
            return;
        }
        if (!hold.mayStart()) {
            conclusions.keep(relevant.get());
            return;
        }
        OperationGroup group = conclusions.withoutPaused(relevant.get());
        Optional<Held> known = conclusions.heldAsKnown(group);
        if (known.isPresent()) {
            conclusions.hold(group, known.get());
            return;
        }
        Optional<InProgress> admitted = askBudget(group);
        if (admitted.isEmpty()) {
            assembly.facts().publish(new Fact.RetryRefused(group.pool()));
            conclusions.hold(group, OVER_BUDGET);
            return;
        }
        if (group.operations().size() == relevant.get().operations().size()) {
            conclusions.release(group.pool());
        }
        try {
            new Attempt(assembly, term, hold, conclusions, lane, group).run();
        } finally {
            SafePorts.tell(BUDGET, admitted.get()::close);
        }
    }

    private Optional<InProgress> askBudget(OperationGroup group) {
        RetryBudget budget = assembly.ports().budget();
        return group.isRetry()
                ? SafePorts.ask(BUDGET, Optional.empty(), budget::tryWithdraw)
                : Optional.of(SafePorts.ask(BUDGET, () -> {}, budget::deposit));
    }
}
