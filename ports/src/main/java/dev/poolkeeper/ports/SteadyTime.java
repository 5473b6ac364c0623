package dev.poolkeeper.ports;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** See {@link Time#steady}. */
public final class SteadyTime implements Time {

    private final Time time;
    private final Instant start;
    private final long startNanos;

    /** @param time keeps one steady view of itself, and returns it from {@link Time#steady} */
    public SteadyTime(Time time) {
        this.time = time;
        this.startNanos = time.nanoTime();
        this.start = time.instant();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(time.nanoTime() - startNanos);
    }

    @Override
    public Time steady() {
        return this;
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public double draw() {
        return time.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return time.schedule(delay, task);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return time.await(future, limit);
    }
}
