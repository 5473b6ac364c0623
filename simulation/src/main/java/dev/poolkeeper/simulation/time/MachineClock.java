package dev.poolkeeper.simulation.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The two clocks of one machine. The wall clock starts somewhere, runs a little fast or slow and jumps; the monotonic
 * one starts elsewhere, runs as fast, and stands still only while the machine is suspended.
 */
public final class MachineClock {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Timeline timeline;
    private final double rate;
    private final long nanosAtStart;
    private long wallOffset;
    private long suspended;

    /**
     * @param rate how many of its seconds pass in one
     * @param nanosAtStart what the monotonic clock shows at the start
     * @param wallOffset how far the wall clock is ahead at the start
     */
    public MachineClock(Timeline timeline, double rate, long nanosAtStart, Duration wallOffset) {
        this.timeline = timeline;
        this.rate = rate;
        this.nanosAtStart = nanosAtStart;
        this.wallOffset = wallOffset.toNanos();
    }

    public Instant instant() {
        return START.plusNanos((long) (timeline.now() * rate) + wallOffset);
    }

    public long nanoTime() {
        return nanosAtStart + (long) ((timeline.now() - suspended) * rate);
    }

    /** How long a wait of this machine takes in truth. */
    public long trueNanos(long nanos) {
        return (long) Math.ceil(nanos / rate);
    }

    public void jump(Duration by) {
        wallOffset += by.toNanos();
    }

    /** The monotonic clock stood still for so long. */
    public void suspended(long nanos) {
        suspended += nanos;
    }
}
