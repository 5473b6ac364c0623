package dev.poolkeeper.k8s;

import java.time.Duration;
import java.time.Instant;

/**
 * All time and all chance of this adapter. Wall-clock time is only written for others to read; every decision is made
 * on the monotonic clock. Implementations are thread-safe.
 */
public interface TimeAndChance {

    /** The wall clock. */
    Instant instant();

    /** The monotonic clock, in nanoseconds since some moment. */
    long nanoTime();

    /** A random number from 0 (inclusive) to 1 (exclusive). */
    double draw();

    /**
     * Runs a task once, after the delay. Tasks may block for I/O, and two of them may run at the same time.
     *
     * @param delay zero or less for at once
     */
    Cancellable schedule(Duration delay, Runnable task);

    /** A task that has not run yet. */
    @FunctionalInterface
    interface Cancellable {

        /** Takes it back; without effect once it runs. */
        void cancel();
    }
}
