package dev.poolkeeper.azure;

import java.time.Duration;

/** How a thread waits between attempts and between polls. */
@FunctionalInterface
public interface Pause {

    /**
     * Returns when the duration is over.
     *
     * @throws InterruptedException as soon as the thread is interrupted
     */
    void pause(Duration duration) throws InterruptedException;

    /** Waits in real time. */
    Pause REAL = Thread::sleep;
}
