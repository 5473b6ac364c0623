package dev.poolkeeper.k8s.watch;

import java.time.Duration;

/**
 * How the cluster is watched.
 *
 * @param pageSize how many Services or slices one page of a list holds; of Nodes, which are large, a quarter of it
 * @param stallAfter how long a watch may be silent before it is opened again. API servers send a bookmark about once a
 *     minute, so more than that
 * @param resyncInterval how often everything is listed again and compared, jittered by a tenth; zero for never
 * @param firstBackoff how long to wait after a first failure; doubles
 * @param longestBackoff how long to wait at most
 */
public record WatchSettings(
        int pageSize, Duration stallAfter, Duration resyncInterval, Duration firstBackoff, Duration longestBackoff) {

    public static final WatchSettings DEFAULT = new WatchSettings(
            500, Duration.ofMinutes(2), Duration.ofMinutes(30), Duration.ofMillis(800), Duration.ofSeconds(30));

    /** @throws IllegalArgumentException if a value is out of its bounds */
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
