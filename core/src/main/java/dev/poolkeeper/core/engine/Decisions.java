package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.RetryDecision;
import dev.poolkeeper.core.engine.Decision.Next;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Fact.Tried;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.State;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decisions of an attempt: each takes the pool and what came back, and says what becomes of the pool, what is said
 * and what is done next. At the end some of its operations wait again; those of Services that are no longer local with
 * the pool are dropped silently.
 *
 * @param model makes the plans, and decides which failures and successes count
 * @param maxRetries how often an operation is retried
 * @param takesUp whether an update includes what arrived before the pool was read
 */
record Decisions(UpdateModel model, int maxRetries, boolean takesUp) {

    private static final Failure NOT_APPLIED = Failure.Other.retriable("the write was accepted but not applied");

    private static final Failure IN_PROGRESS = new Failure.Conflict(new ArmError(
            null, null, "the pool's provisioningState is Updating: another operation on it is in progress", null));

    /**
     * A lane took these operations. Those of Services that are no longer local with the pool are dropped; those of
     * paused ones are held and the others go on. If all are paused, the guard holds the whole.
     */
    static Decision begin(Pool pool, OperationGroup group, Moment when) {
        List<PendingOperation> relevant = relevant(pool, group.operations());
        if (relevant.isEmpty()) {
            return Decision.of(pool);
        }
        List<PendingOperation> going = UpdateModel.withoutPaused(relevant, pool.wants());
        if (going.isEmpty() || going.size() == relevant.size()) {
            return Decision.of(pool).next(new Next.Read(new OperationGroup(group.pool(), relevant), true));
        }
        List<PendingOperation> paused = new ArrayList<>(relevant);
        paused.removeAll(going);
        OperationGroup rest = new OperationGroup(group.pool(), paused);
        return part(pool, rest, new HoldCause.ServicePaused(rest.services().get(0)), when)
                .next(new Next.Read(new OperationGroup(group.pool(), going), false));
    }

    /** The read came back. A write would cancel an operation that is in progress. */
    Decision afterRead(Pool pool, OperationGroup group, Reply<BackendPool> reply, Moment when, Fact.Attempt attempt) {
        return switch (reply) {
            case Reply.Failed<BackendPool>(Failure failure) -> afterFailure(pool, group, failure, when, attempt);
            case Reply.Ok<BackendPool>(BackendPool found)
            when found.provisioning() == ProvisioningState.UPDATING ->
                afterFailure(pool, group, IN_PROGRESS, when, attempt);
            case Reply.Ok<BackendPool>(BackendPool found) -> {
                Decision begun =
                        takesUp && pool.backlog().size() > 0 ? takeUp(pool, group, when) : begin(pool, group, when);
                yield begun.next() instanceof Next.Read read
                        ? begun.next(ask(begun.pool(), read.group(), found))
                        : begun;
            }
        };
    }

    private static Decision takeUp(Pool pool, OperationGroup group, Moment when) {
        Pool taken = pool.withBacklog(it -> it.returned(group.operations())).taken();
        return begin(taken, taken.group().orElseThrow(), when);
    }

    private Next ask(Pool pool, OperationGroup group, BackendPool found) {
        return new Next.Ask(group, found, plan(pool, group, found.addresses()));
    }

    /** @param held what was found in the pool */
    private Plan plan(Pool pool, OperationGroup group, AddressSet held) {
        boolean isAsKnown =
                pool.known().filter(known -> known.addresses().equals(held)).isPresent();
        return isAsKnown ? model.plan(pool, group) : model.plan(pool, group, held);
    }

    /** The guards were asked, unless nothing is to be written. */
    Decision afterVerdict(
            Pool pool, Next.Ask asked, Verdict verdict, boolean mayStart, Moment when, Fact.Attempt attempt) {
        OperationGroup group = asked.group();
        if (asked.isDone()) {
            return unchanged(pool, group, attempt);
        }
        return switch (verdict) {
            case Verdict.Go go -> write(pool, asked, Optional.empty(), mayStart, when);
            case Verdict.GoWithLess(AddressSet less, HoldCause because) ->
                Holds.hold(pool, group.services(), because, when.now())
                        .then(it -> write(it, asked.with(less), Optional.of(because), mayStart, when));
            case Verdict.Hold(HoldCause because) -> held(pool, group, because, when);
        };
    }

    private static Decision write(Pool pool, Next.Ask asked, Optional<HoldCause> rest, boolean mayStart, Moment when) {
        if (rest.isPresent() && asked.isDone()) {
            return Decision.of(restHeld(pool, asked.group(), rest.get(), when));
        }
        return mayStart
                ? Decision.of(pool).next(new Next.Write(asked.found(), asked.plan(), rest))
                : kept(pool, asked.group(), when);
    }

    /** The write came back. What the pool holds is compared with what was written. */
    Decision afterWrite(
            Pool pool,
            OperationGroup group,
            Next.Write write,
            Reply<BackendPool> reply,
            Moment when,
            Fact.Attempt attempt) {
        Plan plan = write.plan();
        return switch (reply) {
            case Reply.Failed<BackendPool>(Failure failure) -> afterFailure(pool, group, failure, when, attempt);
            case Reply.Ok<BackendPool>(BackendPool found) ->
                notApplied(plan, found)
                        .map(failure -> afterFailure(pool, group, failure, when, attempt))
                        .orElseGet(() -> found.addresses().equals(plan.planned())
                                ? landed(pool, group, write, when, attempt)
                                : kept(pool, group, when)
                                        .saying(new Fact.Overwritten(attempt, plan, found.addresses())));
        };
    }

    /** Why a write that was accepted failed; empty if it landed, or another writer changed the pool since. */
    static Optional<Failure> notApplied(Plan plan, BackendPool found) {
        if (!found.isSettled()) {
            return Optional.of(Failure.Other.retriable(
                    "the write was accepted, but the pool's provisioningState is " + found.provisioning()));
        }
        return found.addresses().equals(plan.held()) && !plan.isDone() ? Optional.of(NOT_APPLIED) : Optional.empty();
    }

    private Decision landed(Pool pool, OperationGroup group, Next.Write write, Moment when, Fact.Attempt attempt) {
        Plan plan = write.plan();
        Duration sinceChange = Duration.between(group.waitsSince(), when.now());
        Decision landed = Decision.of(pool).saying(new Fact.Written(attempt, plan, number(group), sinceChange));
        Optional<HoldCause> rest = write.rest();
        if (rest.isPresent() && !plan(pool, group, plan.planned()).isDone()) {
            return landed.with(it -> restHeld(it, group, rest.get(), when)).next(new Next.End(true));
        }
        return (rest.isPresent() ? landed.then(Holds::release) : landed).then(it -> updated(it, group, plan, attempt));
    }

    /** The operations whose Service is local with this pool. */
    static List<PendingOperation> relevant(Pool pool, List<PendingOperation> operations) {
        for (PendingOperation pending : operations) {
            if (!pool.wants().isSeen(pending.operation().service())) {
                return operations.stream()
                        .filter(it -> pool.wants().isSeen(it.operation().service()))
                        .toList();
            }
        }
        return operations; // nearly always
    }

    private static Pool returned(Pool pool, List<PendingOperation> operations) {
        List<PendingOperation> relevant = relevant(pool, operations);
        return relevant.isEmpty() ? pool : pool.withBacklog(it -> it.returned(relevant));
    }

    /** Its last attempt came to an end. */
    static Pool ended(Pool pool) {
        return pool.withBacklog(it -> it.withKept(false));
    }

    private static Pool resting(Pool pool, Optional<Instant> rest) {
        return rest.map(until -> pool.withBacklog(it -> it.resting(until))).orElse(pool);
    }

    /** How many attempts were made for the operations of this group at most, with the one that ends now. */
    static int number(OperationGroup group) {
        return 1 + group.retryCount();
    }

    /** The pool was written as planned. */
    Decision updated(Pool pool, OperationGroup group, Plan plan, Fact.Attempt attempt) {
        return succeeded(pool, group, attempt, true, Optional.of(plan));
    }

    /** The pool already held the wanted addresses. */
    Decision unchanged(Pool pool, OperationGroup group, Fact.Attempt attempt) {
        Decision decision = Decision.of(pool);
        if (group.isRetryReported() && !relevant(pool, group.operations()).isEmpty()) {
            decision = decision.saying(new Fact.FoundAsWanted(attempt, group.services(), number(group)));
        }
        boolean reported = model.reportsUnchanged() || group.isRetryReported();
        return decision.then(it -> succeeded(it, group, attempt, reported, Optional.empty()));
    }

    private static Decision succeeded(
            Pool pool, OperationGroup group, Fact.Attempt attempt, boolean reported, Optional<Plan> plan) {
        List<PendingOperation> relevant = relevant(pool, group.operations());
        List<ServiceName> services =
                relevant.isEmpty() ? List.of() : new OperationGroup(group.pool(), relevant).services();
        Pool now = ended(pool);
        for (ServiceName service : services) {
            now = now.withoutFailed(service);
        }
        Decision decision = Decision.of(now);
        return reported && !services.isEmpty() ? decision.saying(new Fact.Updated(attempt, services, plan)) : decision;
    }

    /**
     * A call failed: what waits, and what arrives later, rests. Without the resource lock there was no attempt that
     * counts.
     */
    Decision afterFailure(Pool pool, OperationGroup group, Failure failure, Moment when, Fact.Attempt attempt) {
        if (failure instanceof Failure.Cancelled cancelled && cancelled.fenced()) {
            return kept(pool, group, when);
        }
        List<PendingOperation> kept = new ArrayList<>();
        List<Tried> retried = new ArrayList<>();
        List<Tried> exhausted = new ArrayList<>();
        List<Tried> refused = new ArrayList<>();
        List<Tried> dropped = new ArrayList<>();
        for (PendingOperation operation : relevant(pool, group.operations())) {
            ServiceName service = operation.operation().service();
            Tried tried = new Tried(service, operation.retryCount() + 1, Optional.empty());
            switch (RetryDecision.decide(failure, operation, maxRetries, model, when.now())) {
                case RetryDecision.Keep(PendingOperation parked) -> kept.add(parked);
                case RetryDecision.Retry(PendingOperation again) -> {
                    kept.add(again);
                    retried.add(new Tried(service, again.retryCount(), Optional.ofNullable(again.nextEligibleAt())));
                }
                case RetryDecision.GiveUp(PendingOperation given, boolean isExhausted) ->
                    (isExhausted ? exhausted : refused).add(tried);
                case RetryDecision.Drop() -> dropped.add(tried);
            }
        }
        Decision decision = Decision.of(resting(ended(returned(pool, kept)), when.rest()));
        State.GaveUp last = new State.GaveUp(failure, when.now());
        if (!dropped.isEmpty()) {
            // this is not reported: the last report on the Service stays, if it is a permanent failure
            List<Tried> told = dropped.stream()
                    .filter(one -> pool.failed().contains(one.service()))
                    .toList();
            decision =
                    decision.with(it -> withFailed(it, told, last)).saying(new Fact.Dropped(attempt, failure, dropped));
        }
        decision = givenUp(decision, attempt, last, refused, false);
        decision = givenUp(decision, attempt, last, exhausted, true);
        return retried.isEmpty() ? decision : decision.saying(new Fact.Retrying(attempt, failure, retried, bound()));
    }

    private Decision givenUp(
            Decision decision, Fact.Attempt attempt, State.GaveUp last, List<Tried> tried, boolean isExhausted) {
        if (tried.isEmpty()) {
            return decision;
        }
        return decision.with(it -> withFailed(it, tried, last))
                .saying(new Fact.GaveUp(attempt, last.failure(), tried, bound(), isExhausted));
    }

    private static Pool withFailed(Pool pool, List<Tried> tried, State.GaveUp last) {
        Pool failed = pool;
        for (Tried one : tried) {
            failed = failed.withFailed(one.service(), last);
        }
        return failed;
    }

    /** How many attempts there are at most. */
    private long bound() {
        return maxRetries + 1L;
    }

    /** An internal error: what is in hand, with what was taken up since, and was not put back waits unchanged. */
    static Pool requeued(Pool pool, Optional<Instant> rest) {
        OperationGroup inHand = pool.backlog().inHand();
        List<PendingOperation> lost = new ArrayList<>(inHand == null ? List.of() : inHand.operations());
        lost.removeIf(pending ->
                pool.backlog().waiting().stream().anyMatch(waiting -> waiting.sequence() == pending.sequence()));
        return resting(ended(returned(pool, lost)), rest);
    }

    /**
     * The attempt came to no end: its operations wait unchanged, the first time until they can be tried again, from the
     * second time in a row on for a rest. A hold of those that the attempt left out is not theirs.
     */
    static Decision kept(Pool pool, OperationGroup group, Moment when) {
        Pool back = returned(pool, group.operations()).withBacklog(it -> it.released(when.now()));
        return Decision.of(
                back.backlog().isKept() || when.rest().isEmpty()
                        ? resting(back, when.rest())
                        : back.withBacklog(it -> it.withKept(true)));
    }

    /** A guard or the retry budget holds the operations, which wait unchanged. */
    static Decision held(Pool pool, OperationGroup group, HoldCause because, Moment when) {
        return part(pool, group, because, when).with(Decisions::ended);
    }

    /** The same of a part of the operations in hand; the attempt goes on with the others. */
    static Decision part(Pool pool, OperationGroup group, HoldCause because, Moment when) {
        return Holds.hold(pool, group.services(), because, when.now()).with(it -> waiting(it, group, because, when));
    }

    /** The same of what a plan leaves out, which was said already. */
    static Pool restHeld(Pool pool, OperationGroup group, HoldCause because, Moment when) {
        return ended(waiting(pool, group, because, when));
    }

    private static Pool waiting(Pool pool, OperationGroup group, HoldCause because, Moment when) {
        Pool back = returned(pool, (because.by().isOfPart() ? group.leftOut() : group).operations());
        boolean byGuard = because.by() != HoldCause.By.RETRY_BUDGET;
        return when.holdUntil(because)
                .map(end -> back.withBacklog(it -> it.holding(end, byGuard)))
                .orElse(back);
    }
}
