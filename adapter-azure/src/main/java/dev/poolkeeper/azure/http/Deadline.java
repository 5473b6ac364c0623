package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Time;
import java.time.Duration;

/** The deadline of a call, measured on a monotonic clock. */
public final class Deadline {

    private final Time time;
    private final long start;
    private final Duration length;

    Deadline(Time time, Duration length) {
        this.time = time;
        this.start = time.nanoTime();
        this.length = length;
    }

    /** The time left; not positive once the deadline has passed. */
    public Duration remaining() {
        return length.minusNanos(time.nanoTime() - start);
    }

    /** The total time of the call, in words. */
    public String inWords() {
        return DurationText.of(length);
    }

    /** The call's failure once the deadline has passed. */
    Failure passed() {
        return new Failure.Cancelled("given up after " + inWords());
    }
}
