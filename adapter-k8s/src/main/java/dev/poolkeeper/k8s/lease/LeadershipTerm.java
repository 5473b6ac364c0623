package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One term as leader: from the request that acquired the Lease until the renew deadline after the last renewal was sent
 * has passed, or until {@link #end}. A term that was once found expired stays over, even if a later renewal succeeds.
 * Each call reads the monotonic clock, so no thread has to run for the expiry. Thread-safe; never blocks.
 */
final class LeadershipTerm {

    private final Time time;
    private final long deadlineNanos;
    private final BooleanSupplier mayLead;
    private long renewedNanos; // guarded by this
    private boolean expired; // guarded by this
    private boolean ended; // guarded by this

    /**
     * @param sentNanos the time just before the request that acquired the Lease was sent
     * @param mayLead whether this process is fit to lead; stays false once it is
     */
    LeadershipTerm(Time time, Duration renewDeadline, long sentNanos, BooleanSupplier mayLead) {
        this.time = time;
        this.mayLead = mayLead;
        this.deadlineNanos = renewDeadline.toNanos();
        this.renewedNanos = sentNanos;
    }

    /** Whether guarded work may start now. */
    boolean isCurrent() {
        return lasts() && mayLead.getAsBoolean();
    }

    private synchronized boolean lasts() {
        return isUnexpired() && !ended;
    }

    /** Whether the last renewal is recent enough. */
    synchronized boolean isUnexpired() {
        expired |= time.nanoTime() - renewedNanos >= deadlineNanos;
        return !expired;
    }

    /**
     * Records that the Lease was renewed.
     *
     * @param sentNanos the time just before the request was sent
     * @return false if the response came too late and the term had expired
     */
    synchronized boolean renewed(long sentNanos) {
        if (!isUnexpired()) {
            return false;
        }
        renewedNanos = sentNanos;
        return true;
    }

    /** The time until the term expires unless it is renewed. */
    synchronized Duration left() {
        return Duration.ofNanos(deadlineNanos - (time.nanoTime() - renewedNanos));
    }

    /** No guarded work may start any more; the Lease may still be renewed for work in progress. */
    synchronized void end() {
        ended = true;
    }
}
