package dev.poolkeeper.ports;

/**
 * How much is left of a quota of writes that other writers share, as far as the cloud has said. Thread-safe; answers at
 * once and sends nothing.
 */
@FunctionalInterface
public interface WriteQuota {

    /** Where the cloud never says. */
    WriteQuota UNKNOWN = () -> Level.AMPLE;

    /** How much is left now. */
    Level level();

    /** From the most to the least. */
    enum Level {
        /** Enough for everything, or nothing is known. */
        AMPLE,
        /** Little: what is not urgent goes one at a time. */
        SCARCE,
        /** The last part: for what is urgent alone, and one at a time. */
        LAST,
        /** Nothing: a write would be refused. */
        NONE
    }
}
