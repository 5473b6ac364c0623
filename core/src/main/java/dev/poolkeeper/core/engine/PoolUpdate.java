package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Updates pools: each {@link Attempt} that is not held by what is known of the pool, and that the retry budget admits.
 */
final class PoolUpdate {

    private static final Held OVER_BUDGET = new Held(
            Held.By.RETRY_BUDGET,
            Optional.empty(),
            "Backend pool update held back: the retry budget is exhausted.",
            "It is retried when the budget allows it.");

    private static final String BUDGET = "RetryBudget";

    final Assembly assembly;
    final Term term;
    final Term fence;
    final SharedHold hold;
    final Conclusions conclusions;
    private final Optional<ActiveGuards> guards;
    private final Planner planner;
    private final Pacing pacing;

    /** @param fence like the term, and also over while the resource lock may not be used */
    PoolUpdate(Assembly assembly, Term term, Term fence, SharedHold hold, OperationQueue queue, Pacing pacing) {
        this.assembly = assembly;
        this.guards = assembly.guards();
        this.planner = assembly.planner();
        this.term = term;
        this.fence = fence;
        this.hold = hold;
        this.pacing = pacing;
        this.conclusions = new Conclusions(assembly, queue, pacing);
    }

    void run(OperationGroup drained, Lane lane) {
        Optional<OperationGroup> relevant = relevant(drained);
        if (relevant.isEmpty() || !term.isCurrent()) {
            return;
        }
        OperationGroup group = relevant.get();
        if (!hold.mayStart()) {
            conclusions.keep(group);
            return;
        }
        group = withoutPaused(group);
        Optional<Held> known = heldAsKnown(group);
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
            new Attempt(this, group, lane).run();
        } finally {
            SafePorts.tell(BUDGET, admitted.get()::close);
        }
    }

    /** Whether the whole update is held, judged without reading the pool; another reason than before is reported. */
    boolean isStillHeld(OperationGroup group) {
        Optional<Held> because = heldAsKnown(group);
        because.ifPresent(reason -> conclusions.sayHeld(group, reason));
        return because.isPresent();
    }

    /** The reason to hold the whole update, judged without reading the pool. */
    private Optional<Held> heldAsKnown(OperationGroup group) {
        return heldAsKnown(group, ActiveGuards::judge);
    }

    /** The same for the status, which holds nothing and lets nothing through. */
    Optional<Held> wouldBeHeld(OperationGroup group) {
        return heldAsKnown(group, ActiveGuards::look);
    }

    private Optional<Held> heldAsKnown(OperationGroup group, BiFunction<ActiveGuards, Plan, Verdict> question) {
        Pool pool = assembly.known().get(group.pool());
        return guards.flatMap(active -> pool.known().flatMap(known -> {
            Plan plan = planner.plan(pool, group);
            return heldWhole(plan, known, question.apply(active, plan));
        }));
    }

    /** A pool whose last operation failed is written again, with what it holds if no more is allowed. */
    private static Optional<Held> heldWhole(Plan plan, KnownPool known, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Go go -> Optional.empty();
            case Verdict.Hold(Held because) -> Optional.of(because);
            case Verdict.GoWithLess(AddressSet allowed, Held because) ->
                allowed.equals(plan.held()) && known.provisioning() != ProvisioningState.FAILED
                        ? Optional.of(because)
                        : Optional.empty();
        };
    }

    /** @param held what was found in the pool */
    Plan plan(OperationGroup group, AddressSet held) {
        Pool pool = assembly.known().get(group.pool());
        boolean isAsKnown =
                pool.known().filter(known -> known.addresses().equals(held)).isPresent();
        return isAsKnown ? planner.plan(pool, group) : planner.plan(pool, group, held);
    }

    private Optional<InProgress> askBudget(OperationGroup group) {
        RetryBudget budget = assembly.ports().budget();
        return group.isRetry()
                ? SafePorts.ask(BUDGET, Optional.empty(), budget::tryWithdraw)
                : Optional.of(SafePorts.ask(BUDGET, () -> {}, budget::deposit));
    }

    /** Of a group of several Services the operations of the paused ones are held; the others go on. */
    private OperationGroup withoutPaused(OperationGroup group) {
        List<PendingOperation> going = Planner.withoutPaused(
                group.operations(), assembly.known().get(group.pool()).wants());
        if (going.isEmpty() || going.size() == group.operations().size()) {
            return group;
        }
        List<PendingOperation> paused = new ArrayList<>(group.operations());
        paused.removeAll(going);
        OperationGroup rest = new OperationGroup(group.pool(), paused);
        conclusions.holdPart(rest, Pauses.of(rest.services().get(0)));
        return new OperationGroup(group.pool(), going);
    }

    /** The pool was read: the group with the further operations that this update includes; empty if none applies. */
    Optional<OperationGroup> takeUp(OperationGroup group) {
        return relevant(pacing.takeUp(group)).map(this::withoutPaused);
    }

    /** What waits for this pool may be tried, unless a guard holds it. */
    void releaseUnlessHeld(PoolKey pool) {
        pacing.release(pool, this::isStillHeld);
    }

    /** After an internal error. */
    void requeue(PoolKey pool) {
        conclusions.requeue(pool);
    }

    /** The group without the operations of Services that are no longer local or now have another pool. */
    private Optional<OperationGroup> relevant(OperationGroup group) {
        List<PendingOperation> relevant = Outcomes.relevant(assembly.known().get(group.pool()), group.operations());
        return relevant.isEmpty() ? Optional.empty() : Optional.of(new OperationGroup(group.pool(), relevant));
    }
}
