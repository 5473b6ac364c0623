package dev.poolkeeper.k8s;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The real clocks. Each task runs in a virtual thread of its own; what one throws goes to the default handler of
 * uncaught exceptions. Thread-safe.
 */
public final class SystemTime implements TimeAndChance, AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;

    public SystemTime() {
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "poolkeeper-k8s-timer");
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
        try {
            Future<?> later = timer.schedule(
                    () -> {
                        Thread.ofVirtual().name("poolkeeper-k8s").start(task);
                    },
                    Math.max(0, delay.toNanos()),
                    TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // closed: there is no later
        }
    }

    /** Tasks that have not begun will not run. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
