package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.FailureClass;
import dev.poolkeeper.core.engine.Decision.Next;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.pool.Backlog;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Updates pools: carries out what {@link Decisions} say and publishes it, calls ARM, and asks and tells the guards and
 * the retry budget. The cluster and the pool may change between any two steps. Once the term has ended nothing is
 * requeued or said. Thread-safe.
 */
final class PoolUpdate {

    static final String BUDGET = "RetryBudget";

    private final Assembly assembly;
    private final Term term;
    private final SharedLock hold;
    private final OperationQueue queue;
    private final Pacing pacing;
    private final Consumer<List<ServiceName>> onNotFound;
    private final Decisions decisions;

    /** @param onNotFound receives the Services of a pool that a call did not find */
    PoolUpdate(
            Assembly assembly,
            Term term,
            SharedLock hold,
            OperationQueue queue,
            Pacing pacing,
            Consumer<List<ServiceName>> onNotFound) {
        this.assembly = assembly;
        this.term = term;
        this.hold = hold;
        this.queue = queue;
        this.pacing = pacing;
        this.onNotFound = onNotFound;
        EngineSettings settings = assembly.settings();
        this.decisions = new Decisions(settings.model(), settings.maxRetries(), settings.pace() instanceof Pace.Eager);
    }

    void run(OperationGroup drained, Lane lane) {
        PoolKey key = drained.pool();
        if (term.isCurrent()
                && decide(key, (pool, when) -> Decisions.begin(pool, drained, when)) instanceof Next.Read read) {
            tryToRead(read, lane);
        }
    }

    private void tryToRead(Next.Read next, Lane lane) {
        OperationGroup group = next.group();
        if (!hold.mayStart()) {
            decide(group.pool(), (pool, when) -> Decisions.kept(pool, group, when));
            return;
        }
        Optional<HoldCause> known = heldAsKnown(group);
        if (known.isPresent()) {
            hold(group, known.get());
            return;
        }
        Optional<InProgress> admitted = askBudget(group);
        if (admitted.isEmpty()) {
            publish(new Fact.RetryRefused(group.pool()));
            hold(group, new HoldCause.OverBudget());
            return;
        }
        if (next.isWhole()) {
            change(group.pool(), Holds::release);
        }
        try {
            new Attempt(lane, group).run();
        } finally {
            SafePorts.tell(BUDGET, admitted.get()::close);
        }
    }

    private void hold(OperationGroup group, HoldCause because) {
        decide(group.pool(), (pool, when) -> Decisions.held(pool, group, because, when));
    }

    private Optional<InProgress> askBudget(OperationGroup group) {
        RetryBudget budget = assembly.ports().budget();
        return group.isRetry()
                ? SafePorts.ask(BUDGET, Optional.empty(), budget::tryWithdraw)
                : Optional.of(SafePorts.ask(BUDGET, () -> {}, budget::deposit));
    }

    /** Takes a decision of an attempt. Returns what that does next; once the term has ended, it is over. */
    private Next decide(PoolKey key, BiFunction<Pool, Moment, Decision> decision) {
        Moment when = new Moment(now(), pacing.rest());
        AtomicReference<Next> next = new AtomicReference<>(Next.END);
        change(key, pool -> {
            Decision taken = decision.apply(pool, when);
            next.set(taken.next());
            return taken.next() instanceof Next.End ? taken.with(it -> it.withBacklog(Backlog::finished)) : taken;
        });
        return next.get();
    }

    private void change(PoolKey key, Function<Pool, Decision> decision) {
        queue.change(key, pool -> decision.apply(pool).told(assembly.facts()));
        deliver();
    }

    private void publish(Fact fact) {
        assembly.facts().append(fact);
        deliver();
    }

    private void deliver() {
        if (!assembly.lanes().isEmbedders()) { // otherwise once they are unlocked
            assembly.facts().deliver();
        }
    }

    /** The reason to hold the whole update, judged without reading the pool. */
    private Optional<HoldCause> heldAsKnown(OperationGroup group) {
        Pool pool = assembly.known().get(group.pool());
        return assembly.guards().flatMap(active -> active.holds(pool, group));
    }

    /** What guards hold may be tried, unless they still hold it; another reason than before is reported. */
    void releaseUnlessHeld() {
        queue.heldByGuards().forEach(this::releaseUnlessHeld);
        assembly.facts().deliver();
    }

    /** The same of this pool. */
    private void releaseUnlessHeld(PoolKey key) {
        Backlog backlog = assembly.known().get(key).backlog();
        if (backlog.isHeldByGuard() && !isStillHeld(key, backlog.waiting())) {
            queue.change(key, pool -> pool.withBacklog(it -> it.released(now())));
        }
    }

    private boolean isStillHeld(PoolKey key, List<PendingOperation> waiting) {
        if (waiting.isEmpty()) {
            return false;
        }
        OperationGroup group = new OperationGroup(key, waiting);
        Optional<HoldCause> because = heldAsKnown(group);
        because.ifPresent(reason -> change(key, pool -> Holds.hold(pool, group.services(), reason, now())));
        return because.isPresent();
    }

    /** The update waits as if it had not been begun, after an internal error: whatever was in hand. */
    void requeue(PoolKey pool) {
        Optional<Instant> rest = pacing.rest();
        queue.change(pool, it -> Decisions.requeued(it, rest));
    }

    private Instant now() {
        return assembly.clock().instant();
    }

    /** One attempt to update a pool. Used by one thread. */
    private final class Attempt {

        private final Optional<ActiveGuards> guards = assembly.guards();
        private final Lane lane;
        private final PoolKey key;
        private final Fact.Attempt attempt;
        private final CallContext context;

        /** What it tries; after the read with what arrived meanwhile, and without what no longer applies. */
        private OperationGroup group;

        Attempt(Lane lane, OperationGroup group) {
            this.lane = lane;
            this.key = group.pool();
            this.group = group;
            this.attempt = new Fact.Attempt(key, assembly.traces().apply(key));
            this.context = new CallContext(hold.fence, group.isRetry(), attempt.trace());
        }

        void run() {
            publish(new Fact.Began(attempt, now(), context.isRetry()));
            try {
                if (read() instanceof Next.Ask ask && askGuards(ask) instanceof Next.Write write) {
                    write(write);
                }
            } finally {
                publish(new Fact.Ended(attempt));
            }
        }

        private <T> Reply<T> call(Supplier<Reply<T>> call) {
            return lane.calls.call(now(), hold.fence::isCurrent, call);
        }

        private Next read() {
            Reply<BackendPool> reply = call(() -> assembly.ports().pools().read(key, context));
            publish(new Fact.ReadEnded(attempt, now(), reply));
            if (!term.isCurrent()) {
                return Next.END;
            }
            switch (reply) {
                case Reply.Failed<BackendPool>(Failure failure) ->
                    assembly.known().failed(key, false, failure, now());
                case Reply.Ok<BackendPool>(BackendPool found) ->
                    assembly.known().read(found, now());
            }
            guards.ifPresent(active -> active.ended(key, false, reply));
            Next next = decide(key, (pool, when) -> decisions.afterRead(pool, group, reply, when, attempt));
            lookForIt(reply);
            return next;
        }

        private Next askGuards(Next.Ask ask) {
            group = ask.group();
            guards.ifPresent(active -> active.wasRead(ask.plan()));
            Verdict verdict = guards.filter(active -> !ask.isDone())
                    .map(active -> active.judge(ask.plan()))
                    .orElse(Verdict.GO);
            boolean mayStart = hold.mayStart();
            return decide(key, (pool, when) -> decisions.afterVerdict(pool, ask, verdict, mayStart, when, attempt));
        }

        private void write(Next.Write next) {
            Plan plan = next.plan();
            if (assembly.ports().dryRun().isPresent()) {
                assembly.ports().dryRun().get().accept(plan);
                decide(key, (pool, when) -> decisions.updated(pool, group, plan, attempt));
                return;
            }
            assembly.known().writeBegins(key, plan.planned());
            guards.ifPresent(active -> active.brake.writeBegins(plan));
            publish(new Fact.Writes(attempt, now(), plan));
            Reply<BackendPool> reply =
                    call(() -> assembly.ports().pools().write(next.found(), plan.planned(), context));
            publish(new Fact.WriteEnded(attempt, now(), plan, reply));
            note(plan, reply);
            try {
                if (term.isCurrent()) {
                    guards.ifPresent(active -> active.writeEnded(plan, reply));
                    Next last =
                            decide(key, (pool, when) -> decisions.afterWrite(pool, group, next, reply, when, attempt));
                    lookForIt(reply);
                    if (last instanceof Next.End(boolean isAsked) && isAsked) {
                        releaseUnlessHeld(key);
                    }
                }
            } finally {
                guards.ifPresent(active -> active.brake.writeEnded(key));
            }
        }

        /** A pool that was not found may be there later, or was another one: the update was dropped. */
        private void lookForIt(Reply<BackendPool> reply) {
            if (reply instanceof Reply.Failed<BackendPool>(Failure failure)
                    && FailureClass.of(failure) == FailureClass.STALE) {
                onNotFound.accept(assembly.known().get(key).wants().services());
            }
        }

        /**
         * Records how a write ended, even after the term has ended: otherwise the next term would treat it as still in
         * progress.
         */
        private void note(Plan plan, Reply<BackendPool> reply) {
            Instant now = now();
            switch (reply) {
                case Reply.Failed<BackendPool>(Failure failure) ->
                    assembly.known().failed(key, true, failure, now);
                case Reply.Ok<BackendPool>(BackendPool found) -> {
                    assembly.known().written(found, found.addresses().equals(plan.planned()), now);
                    Decisions.notApplied(plan, found)
                            .ifPresent(failure -> assembly.known().failed(key, true, failure, now));
                }
            }
        }
    }
}
