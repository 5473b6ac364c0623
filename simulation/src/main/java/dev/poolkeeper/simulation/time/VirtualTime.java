package dev.poolkeeper.simulation.time;

import dev.poolkeeper.ports.Time;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The time and randomness of one process: its machine's clocks, timers on the timeline, and draws from the seed. */
public final class VirtualTime implements Time {

    private final VirtualProcess process;
    private final MachineClock clock;
    private final Chance chance;
    private final InstantSource steady;

    /** The machine's monotonic clock at the last look. */
    private long lastLook;

    /** By how much that look showed more. */
    private long ahead;

    public VirtualTime(VirtualProcess process, MachineClock clock, Chance chance) {
        this.process = process;
        this.clock = clock;
        this.chance = chance;
        this.steady = Time.super.steady();
    }

    @Override
    public InstantSource steady() {
        return steady;
    }

    private long nanos(Duration duration) {
        boolean isEndless = duration.compareTo(Duration.ofDays(3650)) > 0;
        long wait = isEndless ? Duration.ofDays(3650).toNanos() : Math.max(0, duration.toNanos());
        return wait + ahead;
    }

    @Override
    public Instant instant() {
        look();
        return clock.instant().plusNanos(ahead);
    }

    @Override
    public long nanoTime() {
        look();
        return clock.nanoTime() + ahead;
    }

    /** No two looks of the process show the same time, as on a real machine; while it is paused, others look. */
    private void look() {
        if (!process.isPaused()) {
            long now = clock.nanoTime();
            ahead = Math.max(0, ahead - (now - lastLook)) + 1;
            lastLook = now;
        }
    }

    @Override
    public double draw() {
        return chance.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return clock.after(process, nanos(delay), () -> process.start(task))::cancel;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        MachineClock.Wait end = clock.after(process, nanos(duration), () -> over.complete(true));
        try {
            over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            end.cancel();
        }
    }

    /** Without a stack trace: loops wait like this all the time, and a trace costs more than the wait. */
    private static final class NoResult extends TimeoutException {

        @Serial
        private static final long serialVersionUID = 1;

        NoResult(Duration limit) {
            super("no result within " + limit);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Boolean> over = future.handle((result, thrown) -> true);
        MachineClock.Wait end = clock.after(process, nanos(limit), () -> over.complete(false));
        try {
            if (!over.get()) {
                throw new NoResult(limit);
            }
        } finally {
            end.cancel();
        }
        return future.get();
    }
}
