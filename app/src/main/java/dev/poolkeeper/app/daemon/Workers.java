package dev.poolkeeper.app.daemon;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads that serve load balancers side by side. Thread-safe. */
public final class Workers {

    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final ExecutorService threads;

    /** @param count how many load balancers are served at once, at least 1 */
    public Workers(int count) {
        ThreadFactory names =
                Thread.ofPlatform().name("poolkeeper-lane-", 0).daemon().factory();
        this.threads = Executors.newFixedThreadPool(count, names);
    }

    /** Runs one lane each. */
    public Executor executor() {
        return threads;
    }

    /**
     * Takes nothing new, waits for what runs, and interrupts it when the time is over.
     *
     * @return whether nothing runs any more
     */
    boolean drain(Duration grace) {
        threads.shutdown();
        try {
            if (threads.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
            threads.shutdownNow();
            return threads.awaitTermination(AFTER_INTERRUPT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threads.shutdownNow();
            return false;
        }
    }
}
