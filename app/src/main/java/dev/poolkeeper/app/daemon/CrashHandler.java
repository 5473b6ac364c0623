package dev.poolkeeper.app.daemon;

import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when any of its threads ends with an uncaught exception: a daemon that lost a thread looks healthy
 * but does nothing. Its Lease expires, and another replica takes over.
 */
public final class CrashHandler implements Thread.UncaughtExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(CrashHandler.class);

    private final PrintWriter err;
    private final Runnable end;

    CrashHandler(PrintWriter err, Runnable end) {
        this.err = err;
        this.end = end;
    }

    /** Installs the handler for all threads without their own. */
    public static void install(PrintWriter err) {
        Thread.setDefaultUncaughtExceptionHandler(
                new CrashHandler(err, () -> Runtime.getRuntime().halt(1)));
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        try {
            log.atError()
                    .setCause(thrown)
                    .addKeyValue("thread", thread.getName())
                    .log("Thread ended with an uncaught exception; exiting");
            err.println("poolkeeper: thread " + thread.getName() + " ended with an unexpected error (" + thrown
                    + "); the process ends, and another replica takes over");
            err.flush();
        } finally {
            end.run();
        }
    }
}
