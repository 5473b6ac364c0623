package dev.poolkeeper.core.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that waits, with its retry state (design document, <em>Retry Model</em>). Immutable.
 *
 * @param operation what is to be done
 * @param sequence its place in the order of arrival; kept through requeueing, so that what was tried stands before what
 *     is fresh
 * @param since when it was queued: when its pool changed, as far as no update has taken that up
 * @param retryCount how many retriable failures it has met
 * @param nextEligibleAt not to be tried before this instant, at which it may; null for at once
 * @param retryReported whether a retry that has not come to its end was reported on its Service
 */
public record PendingOperation(
        Operation operation,
        long sequence,
        Instant since,
        int retryCount,
        @Nullable Instant nextEligibleAt,
        boolean retryReported) {

    /** A fresh operation: never tried, eligible at once. */
    public static PendingOperation fresh(Operation operation, long sequence, Instant since) {
        return new PendingOperation(operation, sequence, since, 0, null, false);
    }

    /** After a failed attempt that is reported on the Service. */
    public PendingOperation retried(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, since, retryCount + 1, eligibleAt, true);
    }

    /** After an attempt that was never sent: it waits, and nothing else is different. */
    public PendingOperation parked(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, since, retryCount, eligibleAt, retryReported);
    }

    /** The wanted set changed while this waits: it keeps its place and its parking, and its retries count from 0. */
    public PendingOperation changed() {
        return new PendingOperation(operation, sequence, since, 0, nextEligibleAt, retryReported);
    }

    /**
     * Back from an attempt, with a newer one queued for the same Service and pool in the meantime. The place, the
     * instant since which it waits, the longer parking and the report that is owed stay; the retries are those of the
     * newer one.
     */
    public PendingOperation yieldTo(PendingOperation newer) {
        return new PendingOperation(
                newer.operation,
                Math.min(sequence, newer.sequence),
                since.isBefore(newer.since) ? since : newer.since,
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
