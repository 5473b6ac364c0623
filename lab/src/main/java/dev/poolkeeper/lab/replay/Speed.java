package dev.poolkeeper.lab.replay;

import dev.poolkeeper.ports.Time;
import java.time.Duration;

/** How fast virtual time goes. */
@FunctionalInterface
public interface Speed {

    /** As fast as it goes. */
    Speed MAX = millis -> {};

    /** Waits until the given virtual time may come, in milliseconds since the start. */
    void await(long millis) throws InterruptedException;

    /**
     * So many times as fast as real time, counted from the first call.
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
