package dev.poolkeeper.simulation.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The two clocks of one machine. The wall clock starts somewhere, runs a little fast or slow and jumps; the monotonic
 * one starts elsewhere, runs as fast, and stands still only while the machine is suspended. How fast both run can
 * change; what they show goes on from where it was.
 */
public final class MachineClock {

    /** What a clock that is right shows at the start of a run. */
    public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Timeline timeline;
    private final double usualRate;
    private final long nanosAtStart;
    private double rate;
    private long changedAt;
    private long passedAtChange;
    private long wallOffset;
    private long stoodStill;

    /**
     * @param rate how many of its seconds pass in one
     * @param nanosAtStart what the monotonic clock shows at the start
     * @param wallOffset how far the wall clock is ahead at the start
     */
    public MachineClock(Timeline timeline, double rate, long nanosAtStart, Duration wallOffset) {
        this.timeline = timeline;
        this.usualRate = rate;
        this.rate = rate;
        this.nanosAtStart = nanosAtStart;
        this.wallOffset = wallOffset.toNanos();
    }

    public Instant instant() {
        return START.plusNanos(passed() + wallOffset);
    }

    public long nanoTime() {
        return nanosAtStart + passed() - stoodStill;
    }

    /** How many of its own nanoseconds passed since the start, suspended or not. */
    public long passed() {
        return passedAtChange + (long) ((timeline.now() - changedAt) * rate);
    }

    /**
     * How long a wait of this machine takes in truth, if its clocks go on as fast as now. A wait that has begun keeps
     * this length when the rate changes.
     */
    public long trueNanos(long nanos) {
        return (long) Math.ceil(nanos / rate);
    }

    /** From now on it runs this many times as fast as at the start. */
    public void run(double timesAsFast) {
        passedAtChange = passed();
        changedAt = timeline.now();
        rate = usualRate * timesAsFast;
    }

    /** The wall clock is set. */
    public void jump(Duration by) {
        wallOffset += by.toNanos();
    }

    /** The monotonic clock stood still until now. */
    public void stoodStillSince(long passedThen) {
        stoodStill += passed() - passedThen;
    }
}
