package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The source of time and randomness: a wall clock, a monotonic clock, timers, waits and random draws. Code that uses
 * only this source runs unchanged on real time ({@link SystemTime}) and on virtual time.
 *
 * <p>The wall clock is for times exchanged with other machines: in messages, Leases and {@code Retry-After}. It can
 * jump. Durations, deadlines and backoffs are measured with the monotonic clock. Implementations are thread-safe.
 */
public interface Time extends InstantSource {

    /** The wall clock. */
    @Override
    Instant instant();

    /** The monotonic clock: nanoseconds since an arbitrary origin, so only differences are meaningful. */
    long nanoTime();

    /** A random number from 0 (inclusive) to 1 (exclusive). */
    double draw();

    /**
     * Runs a task once, after a delay on the monotonic clock. Returns immediately. Tasks may block for I/O and run
     * concurrently. Exceptions from a task do not reach the caller.
     *
     * @param delay zero or negative for as soon as possible
     */
    Cancellable schedule(Duration delay, Runnable task);

    /**
     * Returns after the duration, or immediately if it is zero or negative.
     *
     * @throws InterruptedException if the thread is interrupted, before or during the wait; its interrupt status is
     *     then cleared
     */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Waits for a result, for a limited time. Does not modify the future: on a timeout, the caller decides whether to
     * cancel it.
     *
     * @param limit the longest wait on the monotonic clock
     * @throws TimeoutException if there is no result within the limit
     * @throws ExecutionException if the future ended with an exception, which is its cause
     * @throws java.util.concurrent.CancellationException if the future was cancelled
     * @throws InterruptedException if the thread is interrupted, before or during the wait
     */
    default <T> T await(CompletableFuture<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Boolean> woken = requireNonNull(future, "future").handle((result, thrown) -> true);
        Cancellable timer = schedule(limit, () -> woken.complete(false));
        try {
            if (!woken.get()) {
                throw new TimeoutException("no result within " + limit);
            }
        } finally {
            timer.cancel();
        }
        return future.get();
    }

    /**
     * A wall clock that never jumps: it starts at the current time and advances with the monotonic clock. Waiting until
     * a given time then takes as long as intended, even if the machine's clock is changed in the meantime.
     *
     * <p>Instants of two such clocks differ by whatever the machine's clock was changed between their starts. Parts of
     * a process exchange instants, such as the end of a throttling. An implementation that is used by several parts
     * therefore returns the same clock to all, see {@link SystemTime}.
     *
     * <p>The drawback: after the machine's clock has been corrected, displayed times and dates sent by a server are off
     * by that correction until the process restarts.
     */
    default InstantSource steady() {
        long startNanos = nanoTime();
        Instant start = instant();
        return () -> start.plusNanos(nanoTime() - startNanos);
    }

    /** A scheduled task. Thread-safe. */
    @FunctionalInterface
    interface Cancellable {

        /** Prevents the task from running; no effect once it has started. */
        void cancel();
    }
}
