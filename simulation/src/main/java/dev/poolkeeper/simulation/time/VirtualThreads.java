package dev.poolkeeper.simulation.time;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Virtual threads scheduled by us: a runnable thread is passed to our executor, so that blocking calls, contended locks
 * and interrupts behave as in the daemon, while exactly one thread runs at a time, in an order that we control.
 *
 * <p>The JDK has no public API for this. It uses the constructor that OpenJDK's own tests use
 * ({@code test/lib/jdk/test/lib/thread/VThreadScheduler.java}), which needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}. With {@code -Djdk.trackAllThreads=false} the JVM releases unreachable threads, such
 * as those of killed processes; it reads that long before the first virtual thread, so it has to be an option.
 */
public final class VirtualThreads {

    private static final String BUILDER = "java.lang.ThreadBuilders$VirtualThreadBuilder";

    private VirtualThreads() {}

    /**
     * Creates virtual threads that run on the given scheduler.
     *
     * @throws IllegalStateException if this JVM does not permit it
     */
    public static Thread.Builder.OfVirtual on(Executor scheduler) {
        try {
            Constructor<?> constructor = Class.forName(BUILDER).getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return (Thread.Builder.OfVirtual) constructor.newInstance(scheduler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "the simulation uses its own scheduler of virtual threads, which requires the Java option"
                            + " --add-opens java.base/java.lang=ALL-UNNAMED: " + e,
                    e);
        }
    }
}
