package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;

/**
 * When a pool counts as fought over.
 *
 * @param times how often it has to be changed back, at least 1
 * @param waits how long it is left alone from then on, each time it is changed back
 * @param calmAfter after how long without being changed back the fight is over
 */
public record DriftSettings(int times, Backoff waits, Duration calmAfter) {

    /** Three times; 10 minutes to 2 hours; 3 hours. */
    public static final DriftSettings DEFAULT =
            new DriftSettings(3, Backoff.doubling(Duration.ofMinutes(10), Duration.ofHours(2)), Duration.ofHours(3));

    /** @throws IllegalArgumentException if {@code times} is not positive */
    public DriftSettings {
        if (times < 1) {
            throw new IllegalArgumentException("times must be at least 1, got " + times);
        }
    }
}
