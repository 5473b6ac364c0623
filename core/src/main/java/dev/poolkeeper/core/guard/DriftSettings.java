package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;

/**
 * When two writers count as fighting over a pool.
 *
 * @param times the number of change-backs required, at least 1
 * @param waits the backoff from then on, after each change-back
 * @param calmAfter the time without a change-back after which the fight is over
 */
public record DriftSettings(int times, Backoff waits, Duration calmAfter) {

    /** Three times; 10 minutes to 2 hours; 3 hours. */
    public static final DriftSettings DEFAULT =
            new DriftSettings(3, new Backoff(Duration.ofMinutes(10), Duration.ofHours(2)), Duration.ofHours(3));

    /** @throws IllegalArgumentException if {@code times} is not positive */
    public DriftSettings {
        if (times < 1) {
            throw new IllegalArgumentException("times must be at least 1, got " + times);
        }
    }
}
