package dev.poolkeeper.ports;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The remaining write quota, shared with other writers, as last reported by the cloud. Thread-safe; returns immediately
 * and sends nothing.
 */
@FunctionalInterface
public interface WriteQuota {

    /** For clouds that do not report a quota. */
    WriteQuota UNKNOWN = () -> Level.AMPLE;

    /** The current level. */
    Level level();

    /**
     * Until when no update could be sent, because the cloud has asked to wait; empty if one can.
     *
     * @param loadBalancer the load balancer of the update; null for any
     */
    default Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
        return Optional.empty();
    }

    /** Levels from most to least remaining. */
    enum Level {
        /** Enough for all updates, or unknown. */
        AMPLE,
        /** Low: updates that are not urgent go one at a time. */
        SCARCE,
        /** Nearly exhausted: only urgent updates, one at a time. */
        LAST,
        /** Exhausted: a write would be throttled. */
        NONE
    }
}
