package dev.poolkeeper.lab.replay;

import dev.poolkeeper.ports.Time;
import java.time.Duration;

/** The speed of virtual time. */
@FunctionalInterface
public interface Speed {

    /** As fast as possible. */
    Speed MAX = millis -> {};

    /** Waits until the given virtual time is due, in milliseconds since the start. */
    void await(long millis) throws InterruptedException;

    /**
     * A multiple of real time, counted from the first call.
     *
     * @param time the real time
     */
    static Speed times(double speed, Time time) {
        return new Speed() {
            private long startNanos;
            private boolean started;

            @Override
            public void await(long millis) throws InterruptedException {
                if (!started) {
                    started = true;
                    startNanos = time.nanoTime();
                }
                long due = (long) Math.min(millis * 1e6 / speed, Long.MAX_VALUE / 2.0);
                Duration wait = Duration.ofNanos(due - (time.nanoTime() - startNanos));
                if (wait.isPositive()) {
                    time.sleep(wait);
                }
            }
        };
    }
}
