package dev.poolkeeper.core.guard;

import java.time.Duration;

/**
 * When the safety brake holds removals back.
 *
 * @param percent the share of all addresses that one tick may remove, 0 to 100; 100 switches the brake off
 * @param minAddresses with fewer addresses than this in all pools together the brake is off; 0 or more
 * @param hold after how long a removal that stays so is let through
 */
public record BrakeSettings(int percent, int minAddresses, Duration hold) {

    /** Half of all addresses, once there are 20; ten minutes. */
    public static final BrakeSettings DEFAULT = new BrakeSettings(50, 20, Duration.ofMinutes(10));

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public BrakeSettings {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent must be 0 to 100, got " + percent);
        }
        if (minAddresses < 0 || hold.isNegative()) {
            throw new IllegalArgumentException(
                    "minAddresses and hold must not be negative, got %d and %s".formatted(minAddresses, hold));
        }
    }

    boolean isTooMuch(long removed, long all) {
        return percent < 100 && all >= minAddresses && removed * 100 > all * percent;
    }
}
