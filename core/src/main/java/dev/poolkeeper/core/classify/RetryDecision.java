package dev.poolkeeper.core.classify;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The decision about one operation after a failed attempt of its group. */
public sealed interface RetryDecision {

    /** Requeue the operation as given and report the retry on its Service. */
    record Retry(PendingOperation operation) implements RetryDecision {}

    /** Requeue the operation as given without a report, because nothing was tried. */
    record Keep(PendingOperation operation) implements RetryDecision {}

    /** Drop the operation and report the failure on its Service. */
    record GiveUp(PendingOperation operation, boolean exhausted) implements RetryDecision {}

    /** Drop the operation without a report. */
    record Drop() implements RetryDecision {}

    static RetryDecision decide(
            Failure failure, PendingOperation operation, int maxRetries, UpdateModel model, Instant now) {
        return switch (FailureClass.of(failure)) {
            case STALE -> new Drop();
            case TERMINAL -> new GiveUp(operation, false);
            case RETRIABLE -> {
                Instant eligibleAt = eligibleAt(failure, now);
                if (isUnsent(failure) && !model.countsUnsentAttempts()) {
                    yield new Keep(operation.parked(eligibleAt));
                }
                yield operation.retryCount() < maxRetries
                        ? new Retry(operation.retried(eligibleAt))
                        : new GiveUp(operation, true);
            }
        };
    }

    private static boolean isUnsent(Failure failure) {
        return failure instanceof Failure.Throttled throttled && !throttled.sent();
    }

    /** When a throttled operation may be tried again; null for the next tick. */
    private static @Nullable Instant eligibleAt(Failure failure, Instant now) {
        if (!(failure instanceof Failure.Throttled throttled)) {
            return null;
        }
        Instant retryAfter = throttled.retryAfter();
        if (retryAfter == null || !retryAfter.isAfter(now)) {
            return null;
        }
        Instant latest = now.plus(RetryAfter.MAX_WAIT);
        return retryAfter.isAfter(latest) ? latest : retryAfter;
    }
}
