package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.RetryDecision;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Fact.Tried;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies the outcome of an attempt to the operations of its group: requeues or drops them, and says so. */
final class Outcomes {

    private final Assembly assembly;
    private final OperationQueue queue;
    private final Pacing pacing;
    private final Facts facts;

    Outcomes(Assembly assembly, OperationQueue queue, Pacing pacing) {
        this.assembly = assembly;
        this.queue = queue;
        this.pacing = pacing;
        this.facts = assembly.facts();
    }

    /** The operations whose Service is currently local with this pool. The others are dropped silently. */
    List<PendingOperation> relevant(List<PendingOperation> operations) {
        List<PendingOperation> relevant = new ArrayList<>(operations);
        relevant.removeIf(operation -> !isRelevant(operation));
        return relevant;
    }

    private boolean isRelevant(PendingOperation pending) {
        return assembly.known()
                .get(pending.operation().pool())
                .wants()
                .isSeen(pending.operation().service());
    }

    /** The pool was written as planned. */
    void updated(OperationGroup group, Plan plan, Fact.Attempt attempt) {
        succeeded(group, attempt, true, Optional.of(plan));
    }

    /** The pool already held the wanted addresses. */
    void unchanged(OperationGroup group, Fact.Attempt attempt) {
        if (group.isRetryReported()) {
            facts.publish(new Fact.FoundAsWanted(attempt, group.services(), number(group)));
        }
        boolean reported = assembly.settings().model().reportsUnchanged() || group.isRetryReported();
        succeeded(group, attempt, reported, Optional.empty());
    }

    private void succeeded(OperationGroup group, Fact.Attempt attempt, boolean reported, Optional<Plan> plan) {
        List<ServiceName> services = relevant(group.operations()).stream()
                .map(pending -> pending.operation().service())
                .distinct()
                .toList();
        services.forEach(service -> assembly.known().change(group.pool(), pool -> pool.withFailed(service, false)));
        pacing.succeeded(group.pool());
        if (reported && !services.isEmpty()) {
            facts.publish(new Fact.Updated(attempt, services, plan));
        }
    }

    /** How many attempts were made for the operations of this group at most, with the one that ends now. */
    static int number(OperationGroup group) {
        return 1
                + group.operations().stream()
                        .mapToInt(PendingOperation::retryCount)
                        .max()
                        .orElse(0);
    }

    /** The attempt failed. Operations that are no longer relevant are dropped first. */
    void failed(OperationGroup group, Failure failure, Instant now, Fact.Attempt attempt) {
        List<PendingOperation> kept = new ArrayList<>();
        List<Tried> retried = new ArrayList<>();
        List<Tried> exhausted = new ArrayList<>();
        List<Tried> refused = new ArrayList<>();
        List<Tried> dropped = new ArrayList<>();
        for (PendingOperation operation : relevant(group.operations())) {
            ServiceName service = operation.operation().service();
            Tried last = new Tried(service, operation.retryCount() + 1, Optional.empty());
            switch (RetryDecision.decide(
                    failure,
                    operation,
                    assembly.settings().maxRetries(),
                    assembly.settings().model(),
                    now)) {
                case RetryDecision.Keep(PendingOperation parked) -> kept.add(parked);
                case RetryDecision.Retry(PendingOperation again) -> {
                    kept.add(again);
                    retried.add(new Tried(service, again.retryCount(), Optional.ofNullable(again.nextEligibleAt())));
                }
                case RetryDecision.GiveUp(PendingOperation given, boolean isExhausted) ->
                    (isExhausted ? exhausted : refused).add(last);
                case RetryDecision.Drop() -> dropped.add(last);
            }
        }
        requeue(group.pool(), kept);
        pacing.failed(group.pool());
        if (!dropped.isEmpty()) {
            facts.publish(new Fact.Dropped(attempt, failure, dropped));
        }
        giveUp(attempt, failure, refused, false);
        giveUp(attempt, failure, exhausted, true);
        if (!retried.isEmpty()) {
            facts.publish(new Fact.Retrying(attempt, failure, retried, bound()));
        }
    }

    /** How many attempts there are at most. */
    private long bound() {
        return assembly.settings().maxRetries() + 1L;
    }

    /**
     * Requeues operations except those of Services that left meanwhile, which found nothing to remove from the queue.
     */
    void requeue(PoolKey pool, List<PendingOperation> kept) {
        queue.requeue(pool, kept);
        for (PendingOperation pending : kept) {
            if (!isRelevant(pending)) {
                queue.remove(pending.operation().service(), pool);
            }
        }
    }

    private void giveUp(Fact.Attempt attempt, Failure failure, List<Tried> tried, boolean isExhausted) {
        if (!tried.isEmpty()) {
            tried.forEach(one -> assembly.known().change(attempt.pool(), pool -> pool.withFailed(one.service(), true)));
            facts.publish(new Fact.GaveUp(attempt, failure, tried, bound(), isExhausted));
        }
    }
}
