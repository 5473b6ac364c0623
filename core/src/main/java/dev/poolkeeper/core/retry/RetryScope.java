package dev.poolkeeper.core.retry;

/**
 * Marks what a thread sends as a retry of the updater. It has been withdrawn from the budget as a whole, so the first
 * attempts inside it deposit nothing; their own retries withdraw as ever. The mark holds for the running thread and
 * ends with the given work.
 */
public final class RetryScope {

    private static final ThreadLocal<Boolean> RETRYING = new ThreadLocal<>();

    private RetryScope() {}

    /** Runs the work, all of whose calls on this thread are part of a retry. */
    public static void run(Runnable work) {
        Boolean outer = RETRYING.get();
        RETRYING.set(true);
        try {
            work.run();
        } finally {
            if (outer == null) {
                RETRYING.remove();
            }
        }
    }

    /** Whether this thread is in such work. */
    public static boolean isActive() {
        return RETRYING.get() != null;
    }
}
