package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A thread that does the same thing again and again, each time as long after the last as that said, or as soon as it is
 * woken. Each turn begins with a heartbeat; a loop that was closed is not missed. What a turn throws goes to the
 * handler of uncaught exceptions. Thread-safe.
 */
final class Loop implements AutoCloseable {

    private final Thread thread;
    private final Watchdog.Heartbeat heartbeat;
    private final Supplier<Duration> turn;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private volatile boolean closed;

    /**
     * @param heartbeat how it shows that it is not stuck
     * @param turn does it once, and says how long to wait before the next time
     */
    Loop(String name, Watchdog.Heartbeat heartbeat, Supplier<Duration> turn) {
        this.heartbeat = heartbeat;
        this.turn = turn;
        this.thread = Thread.ofPlatform().name("poolkeeper-" + name).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The next turn comes at once, or right after the one that is running. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            long nanos = wait.toNanos();
            while (!closed && !woken && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            woken = false;
            return !closed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** No turn begins any more; one that runs goes on. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts what runs; to be called after {@link #close}. */
    void interrupt() {
        thread.interrupt();
    }
}
