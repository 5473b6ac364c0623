package dev.poolkeeper.app.daemon;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The threads that process load balancers in parallel. Thread-safe. */
public final class Workers {

    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final Pool threads;
    private final Time time;

    /**
     * @param count how many load balancers are processed in parallel, at least 1
     * @param time used by {@link #drain} for waiting
     */
    public Workers(int count, Threads threads, Time time) {
        this.threads = new Pool(count, threads);
        this.time = time;
    }

    /**
     * A pool that reports when its last thread has ended. It has about as many threads as load balancers were ever
     * processed in parallel: a task gets a new one only if all may be busy.
     */
    private static final class Pool extends ThreadPoolExecutor {

        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger unfinished = new AtomicInteger();
        private final ReentrantLock growing = new ReentrantLock();
        private final Queue<Thread> created = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        Pool(int count, Threads threads) {
            super(1, count, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>());
            setThreadFactory(task -> created(threads.unstarted("poolkeeper-lane-" + next.getAndIncrement(), task)));
        }

        private Thread created(Thread thread) {
            created.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
            created.add(thread);
            return thread;
        }

        @Override
        public void execute(Runnable task) {
            growing.lock();
            try {
                int needed = Math.min(unfinished.incrementAndGet(), getMaximumPoolSize());
                setCorePoolSize(Math.max(needed, getCorePoolSize()));
            } finally {
                growing.unlock();
            }
            super.execute(task);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            unfinished.decrementAndGet();
        }

        /**
         * Also interrupts the threads in the order in which they were created. The superclass does so in the order of
         * their identity hash codes, so that no simulated stop could be repeated exactly.
         */
        @Override
        public List<Runnable> shutdownNow() {
            created.forEach(Thread::interrupt);
            return super.shutdownNow();
        }

        @Override
        protected void terminated() {
            ended.complete(true);
        }
    }

    /**
     * A tick has ended: an internal error is reported as an uncaught exception of this thread, unless tasks are no
     * longer accepted.
     *
     * @param thrown null for none
     */
    public void ended(@Nullable Throwable thrown) {
        if (thrown != null && !threads.isShutdown()) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    /** Runs each lane as one task. */
    public Executor executor() {
        return threads;
    }

    /**
     * Rejects new tasks, waits for those in progress, and interrupts them after the grace period.
     *
     * @return whether nothing is in progress any more
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
            throw new IllegalStateException("waiting for the threads failed", e);
        }
    }
}
