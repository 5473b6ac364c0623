package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Time;
import java.time.Duration;

/** When a call is given up, measured on a clock that only runs forward. */
public final class Deadline {

    private final Time time;
    private final long start;
    private final Duration length;

    Deadline(Time time, Duration length) {
        this.time = time;
        this.start = time.nanoTime();
        this.length = length;
    }

    /** How much is left, not positive once it has passed. */
    public Duration remaining() {
        return length.minusNanos(time.nanoTime() - start);
    }

    /** How long the whole call may take, in words. */
    public String inWords() {
        return Words.of(length);
    }

    /** The call's failure once the deadline has passed. */
    Failure passed() {
        return new Failure.Cancelled("given up after " + inWords());
    }
}
