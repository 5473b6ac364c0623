package dev.poolkeeper.k8s.watch;

import java.time.Duration;

/**
 * How the cluster is watched.
 *
 * @param pageSize the number of Services or EndpointSlices on one page of a list; a quarter of it for Nodes, which are
 *     large
 * @param stallAfter how long a watch may be silent before it is reopened; must be more than a minute, because API
 *     servers send a bookmark about once a minute
 * @param resyncInterval how often everything is listed again and compared, with 10 % jitter; zero for never
 * @param firstBackoff the wait after the first failure; it doubles with each further one
 * @param longestBackoff the longest wait
 */
public record WatchSettings(
        int pageSize, Duration stallAfter, Duration resyncInterval, Duration firstBackoff, Duration longestBackoff) {

    public static final WatchSettings DEFAULT = new WatchSettings(
            500, Duration.ofMinutes(2), Duration.ofMinutes(30), Duration.ofMillis(800), Duration.ofSeconds(30));

    /** @throws IllegalArgumentException if a value is out of bounds */
    public WatchSettings {
        if (pageSize < 4) {
            throw new IllegalArgumentException("pageSize must be at least 4, got " + pageSize);
        }
        if (!stallAfter.isPositive()) {
            throw new IllegalArgumentException("stallAfter must be greater than 0, got " + stallAfter);
        }
        if (resyncInterval.isNegative()) {
            throw new IllegalArgumentException("resyncInterval must not be negative, got " + resyncInterval);
        }
        if (!firstBackoff.isPositive() || firstBackoff.compareTo(longestBackoff) > 0) {
            throw new IllegalArgumentException("backoff needs 0 < first <= longest, got first=%s, longest=%s"
                    .formatted(firstBackoff, longestBackoff));
        }
    }
}
