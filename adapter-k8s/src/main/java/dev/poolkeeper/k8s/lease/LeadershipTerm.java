package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.Time;
import java.time.Duration;

/**
 * One time as leader, from the request that took the Lease until the first moment that is later than the renew deadline
 * after the last renewal was sent, or until {@link #end}. Once it was seen to be over it stays over, also when a
 * renewal succeeds afterwards. Asks the monotonic clock at each call, so no thread has to run for it. Thread-safe;
 * never blocks.
 */
final class LeadershipTerm {

    private final Time time;
    private final long deadlineNanos;
    private long renewedNanos; // guarded by this
    private boolean expired; // guarded by this
    private boolean ended; // guarded by this

    /** @param sentNanos before the request that took the Lease was sent */
    LeadershipTerm(Time time, Duration renewDeadline, long sentNanos) {
        this.time = time;
        this.deadlineNanos = renewDeadline.toNanos();
        this.renewedNanos = sentNanos;
    }

    /** Whether guarded work may begin now. */
    synchronized boolean isCurrent() {
        return isUnexpired() && !ended;
    }

    /** Whether the last renewal is recent enough. */
    synchronized boolean isUnexpired() {
        expired |= time.nanoTime() - renewedNanos >= deadlineNanos;
        return !expired;
    }

    /**
     * The Lease was renewed.
     *
     * @param sentNanos before the request was sent
     * @return false if that was answered too late, and the term had expired
     */
    synchronized boolean renewed(long sentNanos) {
        if (!isUnexpired()) {
            return false;
        }
        renewedNanos = sentNanos;
        return true;
    }

    /** How long until it expires unless it is renewed. */
    synchronized Duration left() {
        return Duration.ofNanos(deadlineNanos - (time.nanoTime() - renewedNanos));
    }

    /** No guarded work may begin any more; the Lease may still be renewed for what runs. */
    synchronized void end() {
        ended = true;
    }
}
