package dev.poolkeeper.lab.replay;

import org.jspecify.annotations.Nullable;

/** A speed that another thread can stop: the replay ends between two steps, or while waiting for the next one. */
public final class StoppableSpeed implements Speed {

    private final Speed speed;
    private boolean stopped;
    private @Nullable Thread waiting;

    public StoppableSpeed(Speed speed) {
        this.speed = speed;
    }

    /** Stops the replay. Thread-safe. */
    public synchronized void stop() {
        stopped = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    /** Whether the replay was stopped. Thread-safe. */
    public synchronized boolean isStopped() {
        return stopped;
    }

    /** @throws InterruptedException if the replay was stopped before or during the wait */
    @Override
    public void await(long millis) throws InterruptedException {
        begin();
        try {
            speed.await(millis);
        } finally {
            end();
        }
    }

    private synchronized void begin() throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("the replay was stopped");
        }
        waiting = Thread.currentThread();
    }

    private synchronized void end() {
        waiting = null;
    }
}
