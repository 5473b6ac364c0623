package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A thread that does the same thing again and again, each time as long after the last as that said, or as soon as it is
 * woken. Each turn begins with a heartbeat; a loop that was closed is not missed. What a turn throws goes to the
 * handler of uncaught exceptions. Thread-safe.
 */
final class Loop implements AutoCloseable {

    private final Thread thread;
    private final Time time;
    private final Watchdog.Heartbeat heartbeat;
    private final Supplier<Duration> turn;
    /** Completed when the present wait is to end; a new one before each turn. */
    private volatile CompletableFuture<Boolean> woken = new CompletableFuture<>();

    private volatile boolean closed;

    /**
     * @param time by which it waits
     * @param heartbeat how it shows that it is not stuck
     * @param turn does it once, and says how long to wait before the next time
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

    /** The next turn comes at once, or right after the one that is running. */
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

    /** False if this is the end. */
    private boolean waitFor(Duration wait) {
        try {
            time.await(woken, wait);
        } catch (TimeoutException e) {
            // it is time for the next turn
        } catch (InterruptedException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a wait ended in an error", e);
        }
        woken = new CompletableFuture<>(); // before the turn, which sees whatever the completed one stood for
        return !closed;
    }

    /** No turn begins any more; one that runs goes on. */
    @Override
    public void close() {
        closed = true;
        woken.complete(true);
    }

    /** Interrupts what runs; to be called after {@link #close}. */
    void interrupt() {
        thread.interrupt();
    }
}
