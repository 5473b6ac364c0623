package dev.poolkeeper.lab.replay;

import java.util.concurrent.TimeUnit;

/** How fast virtual time goes. */
@FunctionalInterface
public interface Speed {

    /** As fast as it goes. */
    Speed MAX = millis -> {};

    /** Waits until the given virtual time may come, in milliseconds since the start. */
    void await(long millis) throws InterruptedException;

    /** So many times as fast as real time, counted from the first call. */
    static Speed times(double speed) {
        return new Speed() {
            private long startNanos;
            private boolean started;

            @Override
            public void await(long millis) throws InterruptedException {
                if (!started) {
                    started = true;
                    startNanos = System.nanoTime();
                }
                double due = millis * 1e6 / speed;
                TimeUnit.NANOSECONDS.sleep(
                        (long) Math.min(due, Long.MAX_VALUE / 2.0) - (System.nanoTime() - startNanos));
            }
        };
    }
}
