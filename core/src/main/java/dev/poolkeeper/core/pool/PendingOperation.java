package dev.poolkeeper.core.pool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A waiting operation with its retry state (design document, <em>Retry Model</em>). Immutable.
 *
 * @param operation the operation
 * @param sequence its position in the order of arrival; kept when requeued, so that retried operations go before fresh
 *     ones
 * @param since when it was queued: the time of the first change to its pool that no update has included
 * @param notTakenUp the time of the first of these changes that no update has taken up; null if one has taken up all,
 *     and a guard holds what that one left out
 * @param retryCount the number of its retriable failures
 * @param nextEligibleAt the earliest time at which it may be tried; null for immediately
 * @param retryReported whether a retry was reported on its Service and its outcome is not reported yet
 */
public record PendingOperation(
        Operation operation,
        long sequence,
        Instant since,
        @Nullable Instant notTakenUp,
        int retryCount,
        @Nullable Instant nextEligibleAt,
        boolean retryReported) {

    /** A fresh operation: never tried and eligible immediately. */
    public static PendingOperation fresh(Operation operation, long sequence, Instant since) {
        return new PendingOperation(operation, sequence, since, since, 0, null, false);
    }

    /** This operation after a failed attempt that is reported on the Service. */
    public PendingOperation retried(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, since, notTakenUp, retryCount + 1, eligibleAt, true);
    }

    /** This operation after an attempt that was never sent: only {@code nextEligibleAt} changes. */
    public PendingOperation parked(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, since, notTakenUp, retryCount, eligibleAt, retryReported);
    }

    /** Another operation with the state of this one. */
    PendingOperation withOperation(Operation other) {
        return new PendingOperation(other, sequence, since, notTakenUp, retryCount, nextEligibleAt, retryReported);
    }

    /** This operation after an update that left out what a guard holds. */
    PendingOperation leftOut() {
        return new PendingOperation(operation, sequence, since, null, retryCount, nextEligibleAt, retryReported);
    }

    /**
     * This operation after the wanted set changed: it keeps its position and parking, and {@code retryCount} restarts
     * at 0.
     */
    public PendingOperation changed(Instant now) {
        return new PendingOperation(
                operation, sequence, since, notTakenUp == null ? now : notTakenUp, 0, nextEligibleAt, retryReported);
    }

    /**
     * Merges this operation, back from an attempt, with a newer one queued for the same Service and pool in the
     * meantime. Keeps the position, {@code since}, the longer parking and the pending report; {@code retryCount} is
     * that of the newer one.
     */
    public PendingOperation yieldTo(PendingOperation newer) {
        return new PendingOperation(
                newer.operation,
                Math.min(sequence, newer.sequence),
                since.isBefore(newer.since) ? since : newer.since,
                earlier(notTakenUp, newer.notTakenUp),
                newer.retryCount,
                later(nextEligibleAt, newer.nextEligibleAt),
                retryReported || newer.retryReported);
    }

    /** The earlier of the two; null if both are. */
    static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isBefore(b) ? a : b;
    }

    private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isAfter(b) ? a : b;
    }
}
