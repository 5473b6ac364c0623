package dev.poolkeeper.k8s.lease;

import java.time.Duration;

/**
 * The timing of a leader election, with client-go's meanings and defaults. A longer {@code leaseDuration} tolerates
 * longer API server outages and makes failover slower.
 *
 * @param leaseDuration how long a standby waits after the last change that it observed; whole seconds
 * @param renewDeadline the leader gives up leadership after this time without a renewal
 * @param retryPeriod how often leader and standby access the Lease, plus a random jitter of up to 20 %
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
