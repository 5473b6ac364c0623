package dev.poolkeeper.core.plan;

import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.Failure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of one operation after a failed attempt of its group. */
public sealed interface RetryDecision {

    /** A {@code Retry-After} further away than this counts as this. */
    Duration LONGEST_PARKING = Duration.ofDays(1);

    /** Requeue it as given and tell its Service. */
    record Retry(PendingOperation operation) implements RetryDecision {}

    /** Requeue it as given; nothing was tried, so there is nothing to tell. */
    record Keep(PendingOperation operation) implements RetryDecision {}

    /** Give it up and tell its Service. */
    record GiveUp(PendingOperation operation, boolean exhausted) implements RetryDecision {}

    /** Drop it and say nothing. */
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

    /** When a throttled operation may be tried again; null where that is the next tick. */
    private static @Nullable Instant eligibleAt(Failure failure, Instant now) {
        if (!(failure instanceof Failure.Throttled throttled)) {
            return null;
        }
        Instant retryAfter = throttled.retryAfter();
        if (retryAfter == null || !retryAfter.isAfter(now)) {
            return null;
        }
        Instant latest = now.plus(LONGEST_PARKING);
        return retryAfter.isAfter(latest) ? latest : retryAfter;
    }
}
