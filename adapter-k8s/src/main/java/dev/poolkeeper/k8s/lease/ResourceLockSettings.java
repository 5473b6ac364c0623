package dev.poolkeeper.k8s.lease;

import java.time.Duration;

/**
 * How the resource lock is held. The times must be ordered: retry &lt; renewInterval &lt; renewDeadline &lt;
 * leaseDuration.
 *
 * @param leaseDuration how long after the last renewal others may acquire the lock; whole seconds
 * @param renewInterval how often it is renewed while held
 * @param retry the wait before a failed renewal is retried
 * @param renewDeadline the hold counts as lost after this time without a renewal
 */
public record ResourceLockSettings(
        Duration leaseDuration, Duration renewInterval, Duration retry, Duration renewDeadline) {

    /** The namespace of the Lease that Azure's writers to load balancers use. */
    public static final String NAMESPACE = "kube-system";

    /** The name of the Lease that Azure's writers to load balancers use. */
    public static final String NAME = "aks-managed-resource-locker";

    /**
     * One minute, so that the lock of a killed process is free soon; renewed every 10 s, lost after 40 s without
     * renewal.
     */
    public static final ResourceLockSettings DEFAULT = new ResourceLockSettings(
            Duration.ofSeconds(60), Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(40));

    /** A copy with another lease duration. */
    public ResourceLockSettings withLeaseDuration(Duration changed) {
        return new ResourceLockSettings(changed, renewInterval, retry, renewDeadline);
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
    }
}
