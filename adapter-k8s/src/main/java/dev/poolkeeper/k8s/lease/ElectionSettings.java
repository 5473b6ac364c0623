package dev.poolkeeper.k8s.lease;

import java.time.Duration;

/**
 * The times of a leader election, with client-go's meanings and defaults. A longer {@code leaseDuration} bears more
 * trouble with the API server and makes a takeover slower.
 *
 * @param leaseDuration how long a standby waits after the last change it saw; whole seconds
 * @param renewDeadline after how long without a renewal the leader stops to lead
 * @param retryPeriod how often leader and standby ask, plus up to a fifth by chance
 */
public record ElectionSettings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** 15 s, 10 s, 2 s. */
    public static final ElectionSettings DEFAULT =
            new ElectionSettings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** client-go's {@code JitterFactor}. */
    static final double JITTER = 1.2;

    /** @throws IllegalArgumentException if the times are out of order */
    public ElectionSettings {
        if (!retryPeriod.isPositive()) {
            throw new IllegalArgumentException("retryPeriod must be greater than 0, got " + retryPeriod);
        }
        if (renewDeadline.toNanos() <= JITTER * retryPeriod.toNanos()) {
            throw new IllegalArgumentException(
                    "renewDeadline must be greater than 1.2 times retryPeriod, got renewDeadline=%s, retryPeriod=%s"
                            .formatted(renewDeadline, retryPeriod));
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException(
                    "leaseDuration must be greater than renewDeadline, got leaseDuration=%s, renewDeadline=%s"
                            .formatted(leaseDuration, renewDeadline));
        }
        if (leaseDuration.toNanosPart() != 0) {
            throw new IllegalArgumentException("leaseDuration must be whole seconds, got " + leaseDuration);
        }
    }
}
