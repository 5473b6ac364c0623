package dev.poolkeeper.app.daemon;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that serve load balancers side by side. Thread-safe. */
public final class Workers {

    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final Pool threads;
    private final Time time;

    /**
     * @param count how many load balancers are served at once, at least 1
     * @param time by which {@link #drain} waits
     */
    public Workers(int count, Threads threads, Time time) {
        AtomicInteger next = new AtomicInteger();
        this.threads = new Pool(count, task -> threads.unstarted("poolkeeper-lane-" + next.getAndIncrement(), task));
        this.time = time;
    }

    /** A fixed number of threads, which says when the last one has ended. */
    private static final class Pool extends ThreadPoolExecutor {

        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        Pool(int count, ThreadFactory factory) {
            super(count, count, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), factory);
        }

        @Override
        protected void terminated() {
            ended.complete(true);
        }
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
            if (haveEnded(grace)) {
                return true;
            }
            threads.shutdownNow();
            return haveEnded(AFTER_INTERRUPT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threads.shutdownNow();
            return false;
        }
    }

    private boolean haveEnded(Duration within) throws InterruptedException {
        try {
            return time.await(threads.ended, within);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of the threads ended in an error", e);
        }
    }
}
