package dev.poolkeeper.app.daemon;

/** Makes the daemon's threads. Thread-safe. */
@FunctionalInterface
public interface Threads {

    /** Threads of the platform, which do not keep the JVM alive. */
    Threads PLATFORM = (name, task) -> Thread.ofPlatform().name(name).daemon().unstarted(task);

    /**
     * A thread that is not started yet. What its task throws goes to the thread's handler of uncaught exceptions.
     *
     * @param name for people who read a thread dump
     */
    Thread unstarted(String name, Runnable task);
}
