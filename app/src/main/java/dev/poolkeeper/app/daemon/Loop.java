package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A thread that repeats a task: after each iteration it waits as long as that returned, or until it is woken. Each
 * iteration starts with a heartbeat; a closed loop is no longer monitored. Exceptions of an iteration go to the handler
 * of uncaught exceptions. Thread-safe.
 */
final class Loop implements AutoCloseable {

    private final Thread thread;
    private final Time time;
    private final Watchdog.Heartbeat heartbeat;
    private final Supplier<Duration> turn;
    /** Completed to end the current wait; replaced before each iteration. */
    private volatile CompletableFuture<Boolean> woken = new CompletableFuture<>();

    private volatile boolean closed;

    /**
     * @param time used for waiting
     * @param heartbeat shows that the loop is not stuck
     * @param turn does one iteration and returns the wait before the next one
     */
    Loop(String name, Threads threads, Time time, Watchdog.Heartbeat heartbeat, Supplier<Duration> turn) {
        this.time = time;
        this.heartbeat = heartbeat;
        this.turn = turn;
        this.thread = threads.unstarted("poolkeeper-" + name, this::run);
    }

    void start() {
        thread.start();
    }

    /** The next iteration starts at once, or right after the one in progress. */
    void wake() {
        woken.complete(true);
    }

    private void run() {
        Duration wait;
        do {
            heartbeat.beat();
            wait = turn.get();
        } while (waitFor(wait));
        if (closed) {
            heartbeat.rest();
        }
    }

    /** False if the loop was closed. */
    private boolean waitFor(Duration wait) {
        try {
            time.await(woken, wait);
        } catch (TimeoutException e) {
            // time for the next iteration
        } catch (InterruptedException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting failed", e);
        }
        woken = new CompletableFuture<>(); // before the iteration, which handles whatever caused the last wake-up
        return !closed;
    }

    /** No further iteration starts; one in progress continues. */
    @Override
    public void close() {
        closed = true;
        woken.complete(true);
    }

    /** Interrupts the iteration in progress; call it after {@link #close}. */
    void interrupt() {
        thread.interrupt();
    }
}
