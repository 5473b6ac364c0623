package dev.poolkeeper.app.daemon;

/** Creates the daemon's threads. Thread-safe. */
@FunctionalInterface
public interface Threads {

    /** Creates platform daemon threads, which do not keep the JVM alive. */
    Threads PLATFORM = (name, task) -> Thread.ofPlatform().name(name).daemon().unstarted(task);

    /**
     * Creates a thread without starting it. Exceptions of its task go to the thread's handler of uncaught exceptions.
     *
     * @param name shown in thread dumps
     */
    Thread unstarted(String name, Runnable task);
}
