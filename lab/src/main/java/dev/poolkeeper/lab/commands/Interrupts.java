package dev.poolkeeper.lab.commands;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops a long-running command when the process is asked to end (Ctrl-C, SIGTERM). */
@FunctionalInterface
interface Interrupts {

    /** Never interrupts: for commands that run within another process. */
    Interrupts NONE = stop -> () -> {};

    /** The work of a command, until its results have been shown. */
    @FunctionalInterface
    interface Work extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Starts work that can be stopped. When the process is asked to end, the work is stopped, and the process waits
     * until the partial results have been shown; the JVM then exits with 128 plus the signal's number, so 130 after
     * Ctrl-C.
     *
     * @param stop makes the work end soon; called from another thread
     */
    Work during(Runnable stop);

    /** Reacts to signals of this process. */
    static Work ofProcess(Runnable stop) {
        CountDownLatch shown = new CountDownLatch(1);
        Thread hook = new Thread(() -> stopAndAwait(stop, shown), "poolkeeper-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> {
            shown.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is already ending
            }
        };
    }

    private static void stopAndAwait(Runnable stop, CountDownLatch shown) {
        stop.run();
        try {
            boolean unused = shown.await(10, TimeUnit.SECONDS); // a second Ctrl-C is not delivered
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
