package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The machine's clocks. Each task runs in its own virtual thread; exceptions from tasks go to the default uncaught
 * exception handler. The single timer thread is a daemon thread. Thread-safe.
 *
 * <p>It is in the same module as the port because every program that assembles the parts needs it, including
 * embedders'; core and adapters receive a {@link Time} and never create one.
 */
public final class SystemTime implements Time, AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;
    private final InstantSource steady = Time.super.steady();

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
            return () -> {}; // closed: no further task runs
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    /** Needs no timer, so that the limit still applies after {@link #close}. */
    @Override
    public <T> T await(CompletableFuture<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(nanos(limit), TimeUnit.NANOSECONDS);
    }

    /** Saturates at 64 bits, which is 292 years. */
    private static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** The same for all callers: adapters and engine agree on instants after a step of the machine's clock. */
    @Override
    public InstantSource steady() {
        return steady;
    }

    /** Tasks that have not started will not run. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
