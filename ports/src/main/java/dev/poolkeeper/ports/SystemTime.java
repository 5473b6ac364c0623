package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The machine's clocks. Each task runs in a virtual thread of its own; what a task throws goes to the default handler
 * of uncaught exceptions. The one timer thread is a daemon thread. Thread-safe.
 *
 * <p>It lives next to the port because every program that assembles the parts needs it, the embedder's too; the core
 * and the adapters are given a {@link Time} and never make one.
 */
public final class SystemTime implements Time, AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;

    public SystemTime() {
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "poolkeeper-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public double draw() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        requireNonNull(task, "task");
        try {
            Future<?> later = timer.schedule(
                    () -> {
                        Thread.ofVirtual().name("poolkeeper-task").start(task);
                    },
                    delay.isPositive() ? nanos(delay) : 0,
                    TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // closed: no task runs any more
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    /** Needs no timer, so that the limit holds after {@link #close} too. */
    @Override
    public <T> T await(CompletableFuture<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(nanos(limit), TimeUnit.NANOSECONDS);
    }

    /** As far as 64 bits reach, which is 292 years. */
    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Tasks that have not begun will not run. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
