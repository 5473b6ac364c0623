package dev.poolkeeper.azure.pool;

import java.time.Duration;

/**
 * How long-running operations are followed. ARM's own {@code Retry-After} counts before these intervals; where there is
 * none the first poll goes out at once.
 *
 * @param interval between polls at first
 * @param maxInterval between polls at last: a tenth of what was waited so far lies between two, so that the end of a
 *     write, which holds its load balancer up, is noticed soon, and a long one is not asked after for nothing
 * @param deadline how long one read, write or listing may take altogether
 */
public record PollSettings(Duration interval, Duration maxInterval, Duration deadline) {

    private static final Duration LONGEST_DEADLINE = Duration.ofDays(1);
    private static final int SHARE_OF_WAIT = 10;

    /** A second, growing to ten; five minutes. Azure's users see operations of 5 to 20 seconds. */
    public static final PollSettings DEFAULT =
            new PollSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5));

    /** @throws IllegalArgumentException unless 0 &lt; interval &lt;= maxInterval and 0 &lt; deadline &lt;= one day */
    public PollSettings {
        if (!interval.isPositive() || interval.compareTo(maxInterval) > 0) {
            throw new IllegalArgumentException(
                    "polling needs 0 < interval <= maxInterval, got interval=%s, maxInterval=%s"
                            .formatted(interval, maxInterval));
        }
        if (!deadline.isPositive() || deadline.compareTo(LONGEST_DEADLINE) > 0) {
            throw new IllegalArgumentException("the operation deadline is %s, must be more than 0 and at most %s"
                    .formatted(deadline, LONGEST_DEADLINE));
        }
    }

    /** How long to wait after so much waiting. */
    Duration after(Duration waited) {
        Duration share = waited.dividedBy(SHARE_OF_WAIT);
        Duration atLeast = share.compareTo(interval) > 0 ? share : interval;
        return atLeast.compareTo(maxInterval) > 0 ? maxInterval : atLeast;
    }
}
