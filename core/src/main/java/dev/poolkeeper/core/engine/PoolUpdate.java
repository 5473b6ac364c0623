package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The update of one pool: plan and ask the guards with the last known contents, read, plan and ask again, write,
 * verify, report. The cluster and the pool may change between any two steps.
 */
final class PoolUpdate {

    private static final Held OVER_BUDGET = new Held(
            Held.By.RETRY_BUDGET,
            Optional.empty(),
            "Backend pool update held back: the retry budget is exhausted.",
            "It is retried when the budget allows it.");

    private static final Failure NOT_APPLIED = Failure.Other.retriable("the write was accepted but not applied");

    private static final Failure IN_PROGRESS = new Failure.Conflict(new ArmError(
            null, null, "the pool's provisioningState is Updating: another operation on it is in progress", null));

    private final Assembly assembly;
    private final Optional<ActiveGuards> guards;
    private final Term term;
    private final Term fence;
    private final SharedHold hold;
    private final OperationQueue queue;
    private final Pacing pacing;
    private final Outcomes outcomes;

    /** @param fence like the term, and also over while the resource lock may not be used */
    PoolUpdate(Assembly assembly, Term term, Term fence, SharedHold hold, OperationQueue queue, Pacing pacing) {
        this.assembly = assembly;
        this.guards = assembly.guards();
        this.term = term;
        this.fence = fence;
        this.hold = hold;
        this.queue = queue;
        this.pacing = pacing;
        this.outcomes =
                new Outcomes(assembly.settings().model(), assembly.settings().maxRetries());
    }

    /** The state that an update passes from step to step. */
    private record Work(OperationGroup group, Lane lane, CallContext context, Fact.Attempt attempt) {

        Work with(OperationGroup rest) {
            return new Work(rest, lane, context, attempt);
        }

        PoolKey pool() {
            return group.pool();
        }
    }

    void run(OperationGroup drained, Lane lane) {
        Optional<OperationGroup> relevant = relevant(drained);
        if (relevant.isEmpty() || !term.isCurrent()) {
            return;
        }
        OperationGroup group = relevant.get();
        if (!hold.mayStart()) {
            keep(group);
            return;
        }
        group = withoutPaused(group);
        Optional<Held> known = heldAsKnown(group);
        if (known.isPresent()) {
            hold(group, known.get());
            return;
        }
        Optional<InProgress> admitted = askBudget(group);
        if (admitted.isEmpty()) {
            assembly.facts().publish(new Fact.RetryRefused(group.pool()));
            hold(group, OVER_BUDGET);
            return;
        }
        if (group.operations().size() == relevant.get().operations().size()) {
            decide(group.pool(), Holds::release);
        }
        try (InProgress unused = admitted.get()) {
            attempt(group, lane);
        }
    }

    private void attempt(OperationGroup group, Lane lane) {
        Fact.Attempt attempt = new Fact.Attempt(group.pool(), assembly.traces().apply(group.pool()));
        assembly.facts().publish(new Fact.Began(attempt));
        try {
            read(new Work(group, lane, new CallContext(fence, group.isRetry(), attempt.trace()), attempt));
        } finally {
            assembly.facts().publish(new Fact.Ended(attempt));
        }
    }

    /** Applies a decision, unless the term has ended: then nothing is requeued or said. */
    private void decide(PoolKey key, Function<Pool, Decision> decision) {
        queue.change(key, pool -> decision.apply(pool).told(assembly.facts()));
        assembly.facts().deliver();
    }

    private void keep(OperationGroup group) {
        Optional<Instant> rest = pacing.rest();
        decide(group.pool(), pool -> Outcomes.kept(pool, group, rest));
    }

    /** After an internal error. */
    void requeue(PoolKey pool) {
        Optional<Instant> rest = pacing.rest();
        queue.change(pool, it -> Outcomes.requeued(it, rest));
    }

    private void hold(OperationGroup group, Held because) {
        Optional<Instant> until = pacing.holdUntil(because);
        decide(group.pool(), pool -> Outcomes.held(pool, group, because, until, now()));
    }

    private void failed(OperationGroup group, Failure failure, Fact.Attempt attempt) {
        Optional<Instant> rest = pacing.rest();
        decide(group.pool(), pool -> outcomes.failed(pool, group, failure, now(), rest, attempt));
    }

    private Instant now() {
        return assembly.time().instant();
    }

    /** Whether the whole update is held, judged without reading the pool; another reason than before is reported. */
    boolean isStillHeld(OperationGroup group) {
        Optional<Held> because = heldAsKnown(group);
        because.ifPresent(reason -> decide(group.pool(), pool -> Holds.hold(pool, group.services(), reason, now())));
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
        return guards.flatMap(active -> assembly.known()
                .get(group.pool())
                .known()
                .flatMap(known -> {
                    Plan plan = plan(group, known.addresses());
                    return heldWhole(plan, question.apply(active, plan));
                }));
    }

    private static Optional<Held> heldWhole(Plan plan, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Go go -> Optional.empty();
            case Verdict.Hold(Held because) -> Optional.of(because);
            case Verdict.GoWithLess(AddressSet allowed, Held because) ->
                allowed.equals(plan.held()) ? Optional.of(because) : Optional.empty();
        };
    }

    private Plan plan(OperationGroup group, AddressSet holds) {
        AddressSet planned = assembly.plan(holds, group.operations());
        return new Plan(group.pool(), group.services(), holds, planned);
    }

    private void read(Work work) {
        Reply<BackendPool> read = call(work, () -> assembly.pools().read(work.pool(), work.context()));
        if (!term.isCurrent()) {
            return;
        }
        switch (read) {
            case Reply.Failed<BackendPool>(Failure failure) -> {
                assembly.known().failed(work.pool(), false, failure, now());
                failed(work, false, failure);
            }
            case Reply.Ok<BackendPool>(BackendPool pool) -> {
                assembly.known().read(pool, now());
                guards.ifPresent(active -> active.succeeded(work.pool(), false));
                if (pool.provisioning() == ProvisioningState.UPDATING) { // a write would cancel what is in progress
                    failed(work.group(), IN_PROGRESS, work.attempt());
                    return;
                }
                relevant(pacing.takeUp(work.group())).ifPresent(rest -> apply(work.with(withoutPaused(rest)), pool));
            }
        }
    }

    private void apply(Work work, BackendPool pool) {
        Plan plan = plan(work.group(), pool.addresses());
        guards.ifPresent(active -> active.wasRead(plan));
        if (plan.isDone() && pool.isSettled()) {
            decide(work.pool(), it -> outcomes.unchanged(it, work.group(), work.attempt()));
            return;
        }
        switch (guards.map(active -> active.judge(plan)).orElse(Verdict.GO)) {
            case Verdict.Go go -> carryOut(work, pool, plan, Optional.empty());
            case Verdict.GoWithLess(AddressSet less, Held because) -> {
                decide(work.pool(), it -> Holds.hold(it, work.group().services(), because, now()));
                carryOut(work, pool, plan.withPlanned(less), Optional.of(because));
            }
            case Verdict.Hold(Held because) -> hold(work.group(), because);
        }
    }

    /** @param rest the reason to hold the part that the plan leaves out; empty if it leaves nothing out */
    private void carryOut(Work work, BackendPool pool, Plan plan, Optional<Held> rest) {
        if (plan.isDone() && pool.isSettled()) {
            keepHeld(work.group(), rest);
        } else if (!hold.mayStart()) {
            keep(work.group());
        } else if (assembly.dryRun().isPresent()) {
            assembly.dryRun().get().accept(plan);
            decide(work.pool(), it -> outcomes.updated(it, work.group(), plan, work.attempt()));
        } else {
            write(work, pool, plan, rest);
        }
    }

    /** What a guard holds waits for it; that it does was said. */
    private void wait(OperationGroup group, Held because) {
        Optional<Instant> until = pacing.holdUntil(because);
        queue.change(
                group.pool(),
                pool -> Outcomes.waiting(pool, group, because, until).withKept(false));
    }

    private void keepHeld(OperationGroup group, Optional<Held> rest) {
        rest.ifPresentOrElse(because -> wait(group, because), () -> keep(group));
    }

    private void write(Work work, BackendPool pool, Plan plan, Optional<Held> rest) {
        assembly.known().writeBegins(work.pool(), plan.planned());
        guards.ifPresent(active -> active.writeBegins(plan));
        assembly.facts().publish(new Fact.Writes(work.attempt(), plan));
        Reply<BackendPool> written = call(work, () -> assembly.pools().write(pool, plan.planned(), work.context()));
        note(plan, written);
        try {
            if (term.isCurrent()) {
                report(work, plan, written, rest);
            }
        } finally {
            guards.ifPresent(active -> active.writeEnded(work.pool()));
        }
    }

    private void report(Work work, Plan plan, Reply<BackendPool> written, Optional<Held> rest) {
        switch (written) {
            case Reply.Failed<BackendPool>(Failure failure) -> failed(work, true, failure);
            case Reply.Ok<BackendPool>(BackendPool found) -> verify(work, plan, found, rest);
        }
    }

    /**
     * Records how a write ended, even after the term has ended: otherwise the next term would treat it as still in
     * progress.
     */
    private void note(Plan plan, Reply<BackendPool> written) {
        Instant now = now();
        switch (written) {
            case Reply.Failed<BackendPool>(Failure failure) -> assembly.known().failed(plan.pool(), true, failure, now);
            case Reply.Ok<BackendPool>(BackendPool found) -> {
                assembly.known().written(found, found.addresses().equals(plan.planned()), now);
                if (!found.isSettled()) {
                    assembly.known().failed(plan.pool(), true, notInForce(found), now);
                } else if (found.addresses().equals(plan.held()) && !plan.isDone()) {
                    assembly.known().failed(plan.pool(), true, NOT_APPLIED, now);
                }
            }
        }
    }

    /** Compares the contents of the pool after the write with what was written. */
    private void verify(Work work, Plan plan, BackendPool found, Optional<Held> rest) {
        guards.ifPresent(active -> active.succeeded(work.pool(), true));
        if (!found.isSettled()) {
            failed(work.group(), notInForce(found), work.attempt());
        } else if (found.addresses().equals(plan.planned())) {
            guards.ifPresent(active -> active.wasWritten(plan));
            Duration sinceChange = Duration.between(work.group().since(), now());
            assembly.facts()
                    .publish(new Fact.Written(work.attempt(), plan, Outcomes.number(work.group()), sinceChange));
            if (rest.isPresent() && !plan(work.group(), found.addresses()).isDone()) {
                wait(work.group(), rest.get()); // what arrived during the write does not, unless it is held as well
                pacing.release(work.pool(), this::isStillHeld);
            } else {
                rest.ifPresent(unused -> decide(work.pool(), Holds::release));
                decide(work.pool(), it -> outcomes.updated(it, work.group(), plan, work.attempt()));
            }
        } else if (found.addresses().equals(plan.held())) {
            failed(work.group(), NOT_APPLIED, work.attempt());
        } else {
            assembly.facts().publish(new Fact.Overwritten(work.attempt(), plan, found.addresses()));
            guards.ifPresent(active -> active.wasOverwritten(plan));
            keep(work.group());
        }
    }

    private static Failure notInForce(BackendPool found) {
        return Failure.Other.retriable(
                "the write was accepted, but the pool's provisioningState is " + found.provisioning());
    }

    private void failed(Work work, boolean write, Failure failure) {
        if (failure instanceof Failure.Cancelled cancelled && cancelled.fenced()) {
            keep(work.group()); // without the lock there is no attempt to count
            return;
        }
        assembly.facts().publish(new Fact.CallFailed(work.attempt(), failure));
        guards.ifPresent(active -> active.failed(work.pool(), write, failure));
        failed(work.group(), failure, work.attempt());
    }

    private Reply<BackendPool> call(Work work, Supplier<Reply<BackendPool>> call) {
        return work.lane().call(now(), fence, () -> SafePorts.reply(call));
    }

    private Optional<InProgress> askBudget(OperationGroup group) {
        return group.isRetry()
                ? assembly.budget().tryWithdraw()
                : Optional.of(assembly.budget().deposit());
    }

    /** Of a group of several Services the operations of the paused ones are held; the others go on. */
    private OperationGroup withoutPaused(OperationGroup group) {
        List<PendingOperation> going = assembly.withoutPaused(group.operations());
        if (going.isEmpty() || going.size() == group.operations().size()) {
            return group;
        }
        List<PendingOperation> paused = new ArrayList<>(group.operations());
        paused.removeAll(going);
        OperationGroup rest = new OperationGroup(group.pool(), paused);
        Held because = Pauses.of(rest.services().get(0));
        Optional<Instant> until = pacing.holdUntil(because);
        decide(group.pool(), pool -> Outcomes.part(pool, rest, because, until, now()));
        return new OperationGroup(group.pool(), going);
    }

    /** The group without the operations of Services that are no longer local or now have another pool. */
    private Optional<OperationGroup> relevant(OperationGroup group) {
        List<PendingOperation> relevant = Outcomes.relevant(assembly.known().get(group.pool()), group.operations());
        return relevant.isEmpty() ? Optional.empty() : Optional.of(new OperationGroup(group.pool(), relevant));
    }
}
