package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.outcome.RetryDecision;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Carries out what an attempt's outcome means for the operations of its group: requeue, report, count. What users see
 * of it is told in {@code docs/retry-behaviour.md}.
 */
final class Outcomes {

    private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

    private final UpdaterSettings settings;
    private final OperationQueue queue;
    private final LocalServices services;
    private final UpdaterPorts ports;
    private final EventMessages messages;

    Outcomes(UpdaterSettings settings, OperationQueue queue, LocalServices services, UpdaterPorts ports) {
        this.settings = settings;
        this.queue = queue;
        this.services = services;
        this.ports = ports;
        this.messages = new EventMessages(settings);
    }

    /** Those of the operations whose Service is local with this pool at this moment. The others are dropped quietly. */
    List<PendingOperation> relevant(List<PendingOperation> operations) {
        return operations.stream().filter(this::isRelevant).toList();
    }

    /** Whether the operation's Service is local with this pool at this moment. */
    boolean isRelevant(PendingOperation pending) {
        return services.isLocal(
                pending.operation().service(), pending.operation().pool());
    }

    /** The pool was written. */
    void updated(OperationGroup group) {
        succeeded(group, true);
    }

    /** The pool held already what was wanted. */
    void unchanged(OperationGroup group) {
        succeeded(group, !queue.model().isSilentWhenUnchanged() || group.isRetryReported());
    }

    private void succeeded(OperationGroup group, boolean tell) {
        List<PendingOperation> relevant = relevant(group.operations());
        Map<ServiceName, PendingOperation> firstOfService = firstOfEachService(relevant);
        firstOfService.keySet().forEach(service -> services.succeeded(service, group.pool()));
        if (tell && !relevant.isEmpty()) {
            ports.metrics().succeeded(group.pool());
            emit(group.pool(), ServiceEvent.Reason.UPDATED, firstOfService, operation -> EventMessages.UPDATED);
        }
    }

    /** The attempt failed. Operations that are not relevant any more are dropped first. */
    void failed(OperationGroup group, Failure failure, Instant now) {
        List<PendingOperation> kept = new ArrayList<>();
        List<PendingOperation> retried = new ArrayList<>();
        List<PendingOperation> exhausted = new ArrayList<>();
        List<PendingOperation> refused = new ArrayList<>();
        for (PendingOperation operation : relevant(group.operations())) {
            switch (RetryDecision.decide(failure, operation, settings.maxRetries(), queue.model(), now)) {
                case RetryDecision.Keep(PendingOperation parked) -> kept.add(parked);
                case RetryDecision.Retry(PendingOperation again) -> {
                    kept.add(again);
                    retried.add(again);
                }
                case RetryDecision.GiveUp(PendingOperation given, boolean isExhausted) ->
                    (isExhausted ? exhausted : refused).add(given);
                case RetryDecision.Drop() -> logDropped(operation, failure);
            }
        }
        queue.requeue(group.pool(), kept);
        giveUp(group.pool(), refused, failure, operation -> messages.notRetriable(failure));
        giveUp(group.pool(), exhausted, failure, operation -> messages.exhausted(failure, operation));
        if (!retried.isEmpty()) {
            ports.metrics().retried(group.pool(), failure);
            retried.forEach(operation ->
                    logAttempt(Level.INFO, "Requeued a failed update", operation, operation.retryCount(), failure));
            emit(
                    group.pool(),
                    ServiceEvent.Reason.RETRYING,
                    firstOfEachService(retried),
                    operation -> messages.retrying(failure, operation));
        }
    }

    private void giveUp(
            PoolKey pool,
            List<PendingOperation> operations,
            Failure failure,
            Function<PendingOperation, String> message) {
        if (operations.isEmpty()) {
            return;
        }
        ports.metrics().failed(pool);
        operations.forEach(operation ->
                logAttempt(Level.WARN, "Gave up an update", operation, operation.retryCount() + 1, failure));
        Map<ServiceName, PendingOperation> firstOfService = firstOfEachService(operations);
        firstOfService.keySet().forEach(service -> services.failed(service, pool));
        emit(pool, ServiceEvent.Reason.FAILED, firstOfService, message);
    }

    private void emit(
            PoolKey pool,
            ServiceEvent.Reason reason,
            Map<ServiceName, PendingOperation> firstOfService,
            Function<PendingOperation, String> message) {
        firstOfService.forEach((service, operation) ->
                ports.events().emit(new ServiceEvent(service, pool, reason, message.apply(operation))));
    }

    /** The distinct Services in order, each with its first operation. */
    private static Map<ServiceName, PendingOperation> firstOfEachService(List<PendingOperation> operations) {
        Map<ServiceName, PendingOperation> first = new LinkedHashMap<>();
        operations.forEach(operation -> first.putIfAbsent(operation.operation().service(), operation));
        return first;
    }

    private static void logDropped(PendingOperation operation, Failure failure) {
        logAttempt(Level.DEBUG, "Dropped a stale update", operation, operation.retryCount() + 1, failure);
    }

    private static void logAttempt(
            Level level, String message, PendingOperation operation, int attempt, Failure failure) {
        LoggingEventBuilder entry = log.atLevel(level)
                .addKeyValue("service", operation.operation().service())
                .addKeyValue("loadBalancer", operation.operation().pool().loadBalancer())
                .addKeyValue("pool", operation.operation().pool().pool())
                .addKeyValue("attempt", attempt)
                .addKeyValue("failure", failure.describe());
        if (failure instanceof Failure.FromArm fromArm && fromArm.error().correlationId() != null) {
            entry = entry.addKeyValue("correlationId", fromArm.error().correlationId());
        }
        entry.log(message);
    }
}
