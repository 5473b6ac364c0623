package dev.poolkeeper.azure;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When a call is given up, measured on a clock that only runs forward. */
final class Deadline {

    private final LongSupplier nanoTime;
    private final long start;
    private final Duration length;

    Deadline(LongSupplier nanoTime, Duration length) {
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.length = length;
    }

    /** How much is left, not positive once it has passed. */
    Duration remaining() {
        return length.minusNanos(nanoTime.getAsLong() - start);
    }

    Duration length() {
        return length;
    }
}
