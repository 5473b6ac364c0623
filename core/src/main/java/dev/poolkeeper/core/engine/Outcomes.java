package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.RetryDecision;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Fact.Tried;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.State;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decisions at the end of an attempt: which of its operations wait again and until when, and what is said.
 * Operations whose Service is no longer local with the pool are dropped silently.
 *
 * @param model decides which failures and successes count
 * @param maxRetries how often an operation is retried
 */
record Outcomes(UpdateModel model, int maxRetries) {

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

    /** @param rest until when operations wait that arrive later, too; empty for no such wait */
    Decision failed(
            Pool pool,
            OperationGroup group,
            Failure failure,
            Instant now,
            Optional<Instant> rest,
            Fact.Attempt attempt) {
        List<PendingOperation> kept = new ArrayList<>();
        List<Tried> retried = new ArrayList<>();
        List<Tried> exhausted = new ArrayList<>();
        List<Tried> refused = new ArrayList<>();
        List<Tried> dropped = new ArrayList<>();
        for (PendingOperation operation : relevant(pool, group.operations())) {
            ServiceName service = operation.operation().service();
            Tried tried = new Tried(service, operation.retryCount() + 1, Optional.empty());
            switch (RetryDecision.decide(failure, operation, maxRetries, model, now)) {
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
        State.GaveUp last = new State.GaveUp(failure, now);
        Decision decision = Decision.of(resting(ended(returned(pool, kept)), rest));
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
    static Decision kept(Pool pool, OperationGroup group, Optional<Instant> rest, Instant now) {
        Pool back = returned(pool, group.operations()).withBacklog(it -> it.released(now));
        return Decision.of(
                back.backlog().isKept() || rest.isEmpty()
                        ? resting(back, rest)
                        : back.withBacklog(it -> it.withKept(true)));
    }

    /**
     * A guard or the retry budget holds the operations, which wait unchanged.
     *
     * @param until when it is asked again at the latest; empty if the next tick does so
     */
    static Decision held(Pool pool, OperationGroup group, Held because, Optional<Instant> until, Instant now) {
        return part(pool, group, because, until, now).with(Outcomes::ended);
    }

    /** The same of a part of the operations in hand; the attempt goes on with the others. */
    static Decision part(Pool pool, OperationGroup group, Held because, Optional<Instant> until, Instant now) {
        return Holds.hold(pool, group.services(), because, now).with(it -> waiting(it, group, because, until));
    }

    /** The same, if it was said already. */
    static Pool waiting(Pool pool, OperationGroup group, Held because, Optional<Instant> until) {
        Pool back = returned(pool, (because.by().isOfPart() ? group.leftOut() : group).operations());
        boolean byGuard = because.by() != Held.By.RETRY_BUDGET;
        return until.map(end -> back.withBacklog(it -> it.holding(end, byGuard)))
                .orElse(back);
    }
}
