package dev.poolkeeper.core.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that waits, with its retry state (design document, <em>Retry Model</em>). Immutable.
 *
 * @param operation what is to be done
 * @param sequence its place in the order of arrival; kept through requeueing, so that what was tried stands before what
 *     is fresh
 * @param retryCount how many retriable failures it has met
 * @param nextEligibleAt not to be tried before this instant, at which it may; null for at once
 * @param retryReported whether a retry that has not come to its end was reported on its Service
 */
public record PendingOperation(
        Operation operation,
        long sequence,
        int retryCount,
        @Nullable Instant nextEligibleAt,
        boolean retryReported) {

    /** A fresh operation: never tried, eligible at once. */
    public static PendingOperation fresh(Operation operation, long sequence) {
        return new PendingOperation(operation, sequence, 0, null, false);
    }

    /** After a failed attempt that is reported on the Service. */
    public PendingOperation retried(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, retryCount + 1, eligibleAt, true);
    }

    /** After an attempt that was never sent: it waits, and nothing else is different. */
    public PendingOperation parked(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, retryCount, eligibleAt, retryReported);
    }

    /** The wanted set changed while this waits: it keeps its place and its parking, and its retries count from 0. */
    public PendingOperation changed() {
        return new PendingOperation(operation, sequence, 0, nextEligibleAt, retryReported);
    }

    /**
     * Back from an attempt, with a newer one queued for the same Service and pool in the meantime. The place, the
     * longer parking and the report that is owed stay; the retries are those of the newer one.
     */
    public PendingOperation yieldTo(PendingOperation newer) {
        return new PendingOperation(
                newer.operation,
                Math.min(sequence, newer.sequence),
                newer.retryCount,
                later(nextEligibleAt, newer.nextEligibleAt),
                retryReported || newer.retryReported);
    }

    private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isAfter(b) ? a : b;
    }
}
