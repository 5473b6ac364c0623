package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * All time and all chance: a wall clock, a monotonic clock, timers, waits and random draws. Code that takes these from
 * here runs unchanged on the real clock ({@link SystemTime}) and on virtual time.
 *
 * <p>The wall clock is for what other machines read or sent: dates in messages, in Leases and in {@code Retry-After}.
 * It can jump. Durations, deadlines and back-offs are measured with the monotonic clock. Implementations are
 * thread-safe.
 */
public interface Time extends InstantSource {

    /** The wall clock. */
    @Override
    Instant instant();

    /** The monotonic clock: nanoseconds since an arbitrary origin, so only differences mean anything. */
    long nanoTime();

    /** A random number from 0 (inclusive) to 1 (exclusive). */
    double draw();

    /**
     * Runs a task once, after a delay by the monotonic clock. Returns at once. Tasks may block for I/O, and two of them
     * may run at the same time. What a task throws does not reach the caller.
     *
     * @param delay zero or less for as soon as possible
     */
    Cancellable schedule(Duration delay, Runnable task);

    /**
     * Returns when the duration is over, at once if it is zero or less.
     *
     * @throws InterruptedException if the thread is interrupted, before or during the wait; its interrupt status is
     *     then cleared
     */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Waits for a result, for a limited time. The future itself is left alone: when the limit passes, the caller
     * decides whether to cancel it.
     *
     * @param limit the longest wait by the monotonic clock
     * @throws TimeoutException if there is no result after the limit
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
     * This time with a wall clock that never jumps: it starts at the present instant and advances with the monotonic
     * clock. What waits until an instant then waits as long as intended, even if the machine's clock is set meanwhile.
     *
     * <p>The price: after the machine's clock was corrected, instants shown to people, and dates that a server sent,
     * are off by that correction until the process restarts.
     */
    default Time steady() {
        return new SteadyTime(this);
    }

    /** A task that has not run yet. Thread-safe. */
    @FunctionalInterface
    interface Cancellable {

        /** Prevents the task from running; without effect once it runs. */
        void cancel();
    }
}
