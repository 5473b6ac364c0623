package dev.poolkeeper.simulation.time;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where and when we say: whoever is due is handed to an executor of ours, so that a blocked
 * call, a contended lock and an interrupt behave as they do in the daemon, while exactly one thread runs and the order
 * is ours.
 *
 * <p>The JDK has no public way to do so. This uses the constructor that OpenJDK's own tests use
 * ({@code test/lib/jdk/test/lib/thread/VThreadScheduler.java}), which needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}.
 */
public final class VirtualThreads {

    private static final String BUILDER = "java.lang.ThreadBuilders$VirtualThreadBuilder";

    static {
        // read once, when the JVM starts its first virtual thread; set by then, it lets go of threads that no one has
        // any more, as of those of killed processes
        System.setProperty("jdk.trackAllThreads", "false");
    }

    private VirtualThreads() {}

    /**
     * Makes threads that run where the scheduler runs what it is given.
     *
     * @throws IllegalStateException if this JVM does not let us
     */
    public static Thread.Builder.OfVirtual on(Executor scheduler) {
        try {
            Constructor<?> constructor = Class.forName(BUILDER).getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return (Thread.Builder.OfVirtual) constructor.newInstance(scheduler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "the simulation schedules virtual threads by itself, for which Java has to be started with"
                            + " --add-opens java.base/java.lang=ALL-UNNAMED: " + e,
                    e);
        }
    }
}
