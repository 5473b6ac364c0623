package dev.poolkeeper.azure.pool;

import java.time.Duration;

/**
 * How long-running operations are polled. ARM's {@code Retry-After} takes precedence over these intervals; without it
 * the first poll is sent at once.
 *
 * @param interval the shortest time between polls
 * @param maxInterval the longest time between polls; in between, the time is a tenth of the total wait so far, so that
 *     the end of a short write, which blocks its load balancer, is noticed soon, and a long one is not polled
 *     needlessly
 * @param deadline the total time of one read, write or listing
 */
public record PollSettings(Duration interval, Duration maxInterval, Duration deadline) {

    private static final Duration LONGEST_DEADLINE = Duration.ofDays(1);
    private static final int SHARE_OF_WAIT = 10;

    /** One second, growing to ten; five minutes. Users of Azure report operations of 5 to 20 seconds. */
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

    /** The next wait after this total wait. */
    Duration after(Duration waited) {
        Duration share = waited.dividedBy(SHARE_OF_WAIT);
        Duration atLeast = share.compareTo(interval) > 0 ? share : interval;
        return atLeast.compareTo(maxInterval) > 0 ? maxInterval : atLeast;
    }
}
