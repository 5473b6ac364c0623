package dev.poolkeeper.k8s.lease;

import java.time.Duration;

/**
 * How the resource lock is held. The times must be ordered: retry &lt; renewInterval &lt; renewDeadline &lt;
 * leaseDuration.
 *
 * @param leaseDuration after how long without renewal others may take it; whole seconds
 * @param renewInterval how often it is renewed while held
 * @param retry how soon a renewal that failed is tried again
 * @param renewDeadline after how long without renewal it counts as lost
 * @param longestHold after how long no call may start under a hold any more, so that others get their turn; it is
 *     renewed until it is closed all the same
 */
public record ResourceLockSettings(
        Duration leaseDuration, Duration renewInterval, Duration retry, Duration renewDeadline, Duration longestHold) {

    /** Where Azure's writers to load balancers look for the lock. */
    public static final String NAMESPACE = "kube-system";

    /** What Azure's writers to load balancers call the lock. */
    public static final String NAME = "aks-managed-resource-locker";

    /** Lasts a minute, so that what a killed process held is free soon; renewed every 10 s, held for 40 s without. */
    public static final ResourceLockSettings DEFAULT = new ResourceLockSettings(
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60));

    /** The same with another lease duration. */
    public ResourceLockSettings withLeaseDuration(Duration changed) {
        return new ResourceLockSettings(changed, renewInterval, retry, renewDeadline, longestHold);
    }

    /** @throws IllegalArgumentException if the times are out of order */
    public ResourceLockSettings {
        if (!retry.isPositive()
                || retry.compareTo(renewInterval) >= 0
                || renewInterval.compareTo(renewDeadline) >= 0
                || renewDeadline.compareTo(leaseDuration) >= 0) {
            throw new IllegalArgumentException(
                    "the resource lock needs 0 < retry < renewInterval < renewDeadline < leaseDuration, got %s, %s, %s, %s"
                            .formatted(retry, renewInterval, renewDeadline, leaseDuration));
        }
        if (leaseDuration.toNanosPart() != 0) {
            throw new IllegalArgumentException("leaseDuration must be whole seconds, got " + leaseDuration);
        }
        if (!longestHold.isPositive()) {
            throw new IllegalArgumentException("longestHold must be greater than 0, got " + longestHold);
        }
    }
}
