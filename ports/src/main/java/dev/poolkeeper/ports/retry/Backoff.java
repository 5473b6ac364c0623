package dev.poolkeeper.ports.retry;

import java.time.Duration;

/**
 * The waits before retries: an initial wait that doubles from retry to retry, up to a limit.
 *
 * <p>With a random draw the wait is spread over a range, so that clients that failed together do not retry together:
 * before retry <i>n</i> it lies between {@code initial × 2^(n-1)} and {@code initial × 2^n}; a range that exceeds the
 * limit is shifted down. Immutable.
 *
 * @param initial the shortest wait, 0 or more; 0 for no waits
 * @param max the longest wait, {@code initial} or more
 */
public record Backoff(Duration initial, Duration max) {

    private static final int DEFAULT_LIMIT = 10;
    private static final Duration MAX_DURATION = Duration.ofNanos(Long.MAX_VALUE);

    /** @throws IllegalArgumentException if a value is out of bounds */
    public Backoff {
        if (initial.isNegative() || initial.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "backoff needs 0 <= initial <= max, got initial=%s, max=%s".formatted(initial, max));
        }
    }

    /** Up to ten times the shortest wait, as Envoy does. */
    public static Backoff atLeast(Duration initial) {
        return new Backoff(initial, initial.multipliedBy(DEFAULT_LIMIT));
    }

    /**
     * The wait before a retry, without a random draw.
     *
     * @param retry 1 for the first retry
     */
    public Duration before(int retry) {
        return within(nanos(initial) * Math.pow(2, retry - 1));
    }

    /**
     * The wait before a retry, with jitter.
     *
     * @param retry 1 for the first retry
     * @param draw the random draw, from 0 inclusive to 1 exclusive
     */
    public Duration before(int retry, double draw) {
        double high = Math.min(nanos(initial) * Math.pow(2, retry), nanos(max));
        double low = Math.max(nanos(initial), high / 2);
        return within(low + draw * (high - low));
    }

    /** Clamps rounding errors of floating-point arithmetic. */
    private Duration within(double nanos) {
        Duration wait = Duration.ofNanos((long) nanos);
        return wait.compareTo(initial) < 0 ? initial : wait.compareTo(max) > 0 ? max : wait;
    }

    /** Saturates at 64 bits, which is 292 years. */
    private static double nanos(Duration duration) {
        return duration.compareTo(MAX_DURATION) > 0 ? Long.MAX_VALUE : (double) duration.toNanos();
    }
}
