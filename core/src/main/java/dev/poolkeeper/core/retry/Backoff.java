package dev.poolkeeper.core.retry;

import java.time.Duration;

/**
 * How long to wait before a retry: never less than a minimum, growing, capped, and drawn at random from a range so that
 * those who failed together do not come back together.
 *
 * <p>Before retry <i>n</i> the wait lies between {@code minimum × multiplier^(n-1)} and {@code minimum × multiplier^n},
 * the range moved down where the cap cuts it. Immutable.
 *
 * @param minimum the least wait, 0 or more; 0 for no waits at all
 * @param maximum the longest wait, {@code minimum} or more
 * @param multiplier the growth from retry to retry, 1 to 10; 1 for the same wait each time
 */
public record Backoff(Duration minimum, Duration maximum, double multiplier) {

    private static final double USUAL_MULTIPLIER = 2;
    private static final int USUAL_CAP = 10;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** @throws IllegalArgumentException if a bound does not hold */
    public Backoff {
        if (minimum.isNegative() || minimum.compareTo(maximum) > 0) {
            throw new IllegalArgumentException(
                    "backoff needs 0 <= minimum <= maximum, got minimum=%s, maximum=%s".formatted(minimum, maximum));
        }
        if (!(multiplier >= 1 && multiplier <= 10)) { // written so that NaN fails too
            throw new IllegalArgumentException("backoff multiplier must be from 1 to 10, got " + multiplier);
        }
    }

    /** Doubling, up to ten times the minimum, which is also what Envoy does. */
    public static Backoff atLeast(Duration minimum) {
        return new Backoff(minimum, minimum.multipliedBy(USUAL_CAP), USUAL_MULTIPLIER);
    }

    /**
     * The wait before a retry.
     *
     * @param retry 1 for the first retry
     * @param draw the random draw, from 0 inclusive to 1 exclusive
     */
    public Duration before(int retry, double draw) {
        double least = nanos(minimum);
        double high = Math.min(least * Math.pow(multiplier, retry), nanos(maximum));
        double low = Math.max(least, high / multiplier);
        Duration wait = Duration.ofNanos((long) (low + draw * (high - low)));
        return wait.compareTo(minimum) < 0 ? minimum : wait.compareTo(maximum) > 0 ? maximum : wait;
    }

    /** As far as 64 bits reach, which is 292 years. */
    private static double nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : (double) duration.toNanos();
    }
}
