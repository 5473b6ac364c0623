package dev.poolkeeper.core.guard;

import java.time.Duration;

/**
 * When the safety brake holds removals.
 *
 * @param percent the share of all addresses that may be removed within the window, 0 to 100; 100 switches the brake off
 * @param minAddresses with fewer addresses than this across all pools, only a removal that empties all pools is held; 0
 *     or more
 * @param hold the time after which a removal that is still wanted is let through
 * @param window how far back written removals count, greater than 0
 */
public record BrakeSettings(int percent, int minAddresses, Duration hold, Duration window) {

    /** Half of all addresses within 30 seconds, once there are 20; ten minutes. */
    public static final BrakeSettings DEFAULT =
            new BrakeSettings(50, 20, Duration.ofMinutes(10), Duration.ofSeconds(30));

    /** The same with another share. */
    public BrakeSettings withPercent(int other) {
        return new BrakeSettings(other, minAddresses, hold, window);
    }

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public BrakeSettings {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent must be 0 to 100, got " + percent);
        }
        if (minAddresses < 0 || hold.isNegative()) {
            throw new IllegalArgumentException(
                    "minAddresses and hold must not be negative, got %s and %s".formatted(minAddresses, hold));
        }
        if (!window.isPositive()) {
            throw new IllegalArgumentException("window must be greater than 0, got " + window);
        }
    }
}
