package dev.poolkeeper.lab.commands;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a long command does when the process is asked to end (Ctrl-C, SIGTERM) while it computes. */
@FunctionalInterface
interface Interrupts {

    /** Nothing asks: for commands that run within another process. */
    Interrupts NONE = stop -> () -> {};

    /** The work of a command, from its start until its results are shown. */
    @FunctionalInterface
    interface Work extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Begins work that can be stopped. When the process is asked to end, the work is stopped, and the process waits
     * until the results so far are shown; the JVM then ends with 128 and the signal's number, so 130 after Ctrl-C.
     *
     * @param stop makes the work end soon; called from another thread
     */
    Work during(Runnable stop);

    /** Those of this process. */
    static Work ofProcess(Runnable stop) {
        CountDownLatch shown = new CountDownLatch(1);
        Thread hook = new Thread(() -> stopAndAwait(stop, shown), "poolkeeper-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> {
            shown.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process ends already
            }
        };
    }

    private static void stopAndAwait(Runnable stop, CountDownLatch shown) {
        stop.run();
        try {
            boolean unused = shown.await(10, TimeUnit.SECONDS); // a second Ctrl-C does not reach us any more
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
