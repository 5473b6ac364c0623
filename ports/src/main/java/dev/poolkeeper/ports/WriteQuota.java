package dev.poolkeeper.ports;

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
