package dev.poolkeeper.core.retry;

import org.jspecify.annotations.Nullable;

/** The meaning of {@code loadBalancerBackendPoolUpdateMaxRetries} (design document, <em>Configuration</em>). */
public final class MaxRetries {

    /** The value if none is configured. */
    public static final int DEFAULT = 3;

    private MaxRetries() {}

    /**
     * The number of additional attempts after the first one failed.
     *
     * @param configured null for the default; 0 switches retries off; negative values count as 0
     */
    public static int of(@Nullable Integer configured) {
        return configured == null ? DEFAULT : Math.max(0, configured);
    }
}
