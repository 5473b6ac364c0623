package dev.poolkeeper.simulation.time;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The two clocks of one machine. The wall clock starts with an offset, runs slightly fast or slow and may jump; the
 * monotonic clock starts at another value, runs at the same rate, and stops only while the machine is suspended. The
 * rate of both can change without a jump.
 */
public final class MachineClock {

    /** The correct wall-clock time at the start of a run. */
    public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Timeline timeline;
    private final double usualRate;
    private final long nanosAtStart;
    private final Set<Wait> waits = new LinkedHashSet<>();
    private double rate;
    private long changedAt;
    private long passedAtChange;
    private long wallOffset;
    private long stoodStill;

    /**
     * @param rate clock seconds per true second
     * @param nanosAtStart the monotonic clock at the start
     * @param wallOffset the offset of the wall clock at the start
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

    /** The clock's own nanoseconds since the start, including suspensions. */
    public long passed() {
        return passedAtChange + (long) ((timeline.now() - changedAt) * rate);
    }

    /** Something that a process does when this clock has gone on for a while, whatever its rate is then. */
    final class Wait {
        private final VirtualProcess process;
        private final long until;
        private final Runnable action;
        private Timeline.Event end;

        private Wait(VirtualProcess process, long until, Runnable action) {
            this.process = process;
            this.until = until;
            this.action = action;
            this.end = timed();
        }

        private Timeline.Event timed() {
            return process.after((long) Math.ceil(Math.max(0, until - passed()) / rate), () -> {
                if (waits.remove(this)) {
                    action.run();
                }
            });
        }

        private void retime() {
            end.cancel();
            end = timed();
        }

        void cancel() {
            waits.remove(this);
            end.cancel();
        }
    }

    /** Lets the process do this after so many nanoseconds of this clock. */
    Wait after(VirtualProcess process, long nanos, Runnable action) {
        Wait wait = new Wait(process, passed() + nanos, action);
        waits.add(wait);
        return wait;
    }

    /** Sets the rate as a multiple of the initial one. */
    public void run(double timesAsFast) {
        passedAtChange = passed();
        changedAt = timeline.now();
        rate = usualRate * timesAsFast;
        waits.removeIf(wait -> !wait.process.isAlive());
        List.copyOf(waits).forEach(Wait::retime);
    }

    /** Sets the wall clock. */
    public void jump(Duration by) {
        wallOffset += by.toNanos();
    }

    /** The monotonic clock was stopped until now. */
    public void stoodStillSince(long passedThen) {
        stoodStill += passed() - passedThen;
    }
}
