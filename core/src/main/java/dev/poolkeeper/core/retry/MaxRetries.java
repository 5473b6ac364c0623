package dev.poolkeeper.core.retry;

import org.jspecify.annotations.Nullable;

/** The meaning of {@code loadBalancerBackendPoolUpdateMaxRetries} (design document, <em>Configuration</em>). */
public final class MaxRetries {

    /** Where nothing is set. */
    public static final int DEFAULT = 3;

    private MaxRetries() {}

    /**
     * Extra attempts after the first failed one.
     *
     * @param configured null where not set: the default; 0 switches retries off; negative counts as 0
     */
    public static int of(@Nullable Integer configured) {
        return configured == null ? DEFAULT : Math.max(0, configured);
    }
}
