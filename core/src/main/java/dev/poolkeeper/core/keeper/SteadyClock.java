package dev.poolkeeper.core.keeper;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The wall clock as it was at the start, going on with the monotonic clock: it never jumps. What waits until an instant
 * (a parked operation, the next listing, the next comparison) waits as long as was meant, whatever somebody does to the
 * machine's clock; with the wall clock itself, all of it would stand still for as long as that was set back.
 *
 * <p>The price: after a correction of the wall clock, instants in messages, and dates that a server sent, are off by it
 * until the process starts again. Thread-safe if the sources are.
 */
public final class SteadyClock implements InstantSource {

    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;

    /**
     * @param wallClock asked once
     * @param nanoTime a monotonic clock in nanoseconds of any origin, as {@link System#nanoTime}
     */
    public SteadyClock(InstantSource wallClock, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.start = wallClock.instant();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }
}
