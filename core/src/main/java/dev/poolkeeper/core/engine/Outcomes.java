package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.RetryDecision;
import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.UpdaterMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Applies the outcome of an attempt to the operations of its group: requeues, reports and counts. */
final class Outcomes {

    private final Assembly assembly;
    private final OperationQueue queue;
    private final Pacing pacing;
    private final EventMessages messages;

    Outcomes(Assembly assembly, OperationQueue queue, Pacing pacing) {
        this.assembly = assembly;
        this.queue = queue;
        this.pacing = pacing;
        this.messages = new EventMessages(assembly.settings().maxRetries(), assembly.instantText());
    }

    /** The operations whose Service is currently local with this pool. The others are dropped silently. */
    List<PendingOperation> relevant(List<PendingOperation> operations) {
        List<PendingOperation> relevant = new ArrayList<>(operations);
        relevant.removeIf(operation -> !isRelevant(operation));
        return relevant;
    }

    private boolean isRelevant(PendingOperation pending) {
        return assembly.known()
                .wants(pending.operation().pool())
                .isSeen(pending.operation().service());
    }

    /** The pool was written as planned. */
    void updated(OperationGroup group, Plan plan, UpdaterMetrics.Update observed) {
        succeeded(group, observed, true, EventMessages.updated(plan));
    }

    /** The pool already held the wanted addresses. */
    void unchanged(OperationGroup group, UpdaterMetrics.Update observed) {
        if (group.isRetryReported()) {
            UpdateLog.foundAsWanted(group);
        }
        boolean reported = assembly.settings().model().reportsUnchanged() || group.isRetryReported();
        succeeded(group, observed, reported, EventMessages.UPDATED);
    }

    private void succeeded(
            OperationGroup group, UpdaterMetrics.Update observed, boolean reported, EventMessages.Text message) {
        List<PendingOperation> relevant = relevant(group.operations());
        Map<ServiceName, PendingOperation> firstOfService = firstOfEachService(relevant);
        firstOfService.keySet().forEach(service -> assembly.known().clearFailed(service, group.pool()));
        pacing.succeeded(group.pool());
        if (reported && !relevant.isEmpty()) {
            observed.succeeded();
            emit(group.pool(), ServiceEvent.Reason.UPDATED, firstOfService, operation -> message);
        }
    }

    /** The attempt failed. Operations that are no longer relevant are dropped first. */
    void failed(OperationGroup group, Failure failure, Instant now, UpdaterMetrics.Update observed) {
        List<PendingOperation> kept = new ArrayList<>();
        List<PendingOperation> retried = new ArrayList<>();
        List<PendingOperation> exhausted = new ArrayList<>();
        List<PendingOperation> refused = new ArrayList<>();
        for (PendingOperation operation : relevant(group.operations())) {
            switch (RetryDecision.decide(
                    failure,
                    operation,
                    assembly.settings().maxRetries(),
                    assembly.settings().model(),
                    now)) {
                case RetryDecision.Keep(PendingOperation parked) -> kept.add(parked);
                case RetryDecision.Retry(PendingOperation again) -> {
                    kept.add(again);
                    retried.add(again);
                }
                case RetryDecision.GiveUp(PendingOperation given, boolean isExhausted) ->
                    (isExhausted ? exhausted : refused).add(given);
                case RetryDecision.Drop() -> UpdateLog.dropped(operation, failure);
            }
        }
        requeue(group.pool(), kept);
        pacing.failed(group.pool());
        giveUp(group.pool(), observed, refused, failure, operation -> messages.notRetriable(failure, operation));
        giveUp(group.pool(), observed, exhausted, failure, operation -> messages.exhausted(failure, operation));
        if (!retried.isEmpty()) {
            observed.retried(failure);
            retried.forEach(operation -> UpdateLog.requeued(operation, failure));
            emit(
                    group.pool(),
                    ServiceEvent.Reason.RETRYING,
                    firstOfEachService(retried),
                    operation -> messages.retrying(failure, operation));
        }
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

    private void giveUp(
            PoolKey pool,
            UpdaterMetrics.Update observed,
            List<PendingOperation> operations,
            Failure failure,
            Function<PendingOperation, EventMessages.Text> message) {
        if (operations.isEmpty()) {
            return;
        }
        observed.failed();
        operations.forEach(operation -> UpdateLog.gaveUp(operation, failure));
        Map<ServiceName, PendingOperation> firstOfService = firstOfEachService(operations);
        firstOfService.keySet().forEach(service -> assembly.known().setFailed(service, pool));
        emit(pool, ServiceEvent.Reason.FAILED, firstOfService, message);
    }

    private void emit(
            PoolKey pool,
            ServiceEvent.Reason reason,
            Map<ServiceName, PendingOperation> firstOfService,
            Function<PendingOperation, EventMessages.Text> message) {
        firstOfService.forEach((service, operation) -> {
            EventMessages.Text text = message.apply(operation);
            assembly.events().emit(new ServiceEvent(service, pool, reason, text.message(), text.note(), text.cause()));
        });
    }

    /** The distinct Services in order, each with its first operation. */
    private static Map<ServiceName, PendingOperation> firstOfEachService(List<PendingOperation> operations) {
        Map<ServiceName, PendingOperation> first = new LinkedHashMap<>();
        operations.forEach(operation -> first.putIfAbsent(operation.operation().service(), operation));
        return first;
    }
}
