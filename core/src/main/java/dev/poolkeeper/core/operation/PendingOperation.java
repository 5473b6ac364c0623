package dev.poolkeeper.core.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that waits, with its retry state (design document, <em>Retry Model</em>). Immutable.
 *
 * @param operation what shall be done
 * @param sequence its place in the order of arrival; kept through requeueing, so that what was tried stands before what
 *     is fresh
 * @param retryCount how many retriable failures it has met
 * @param nextEligibleAt not to be tried before this instant, at which it may; null for at once
 * @param retryReported whether its Service was told of a retry that has not come to its end
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

    /** Whether it has to wait until after {@code now}. */
    public boolean isParked(Instant now) {
        return nextEligibleAt != null && nextEligibleAt.isAfter(now);
    }

    /** After a failed attempt of which the Service is told. */
    public PendingOperation retried(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, retryCount + 1, eligibleAt, true);
    }

    /** After an attempt that was never sent: it waits, and nothing else is different. */
    public PendingOperation parked(@Nullable Instant eligibleAt) {
        return new PendingOperation(operation, sequence, retryCount, eligibleAt, retryReported);
    }

    /** This operation superseded by a newer one: it keeps its place and its parking, and starts to count anew. */
    public PendingOperation supersededBy(Operation newer) {
        return new PendingOperation(newer, sequence, 0, nextEligibleAt, retryReported);
    }

    /**
     * This operation, back from an attempt, meets a newer one for the same pool that was queued meanwhile. The newer
     * one says what is to be done; the place, the longer parking and the promise to tell of the end stay. Where both
     * want the same, the failures already met count on.
     */
    public PendingOperation yieldTo(PendingOperation newer) {
        boolean same = newer.operation.equals(operation);
        return new PendingOperation(
                newer.operation,
                Math.min(sequence, newer.sequence),
                same ? Math.max(retryCount, newer.retryCount) : newer.retryCount,
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
