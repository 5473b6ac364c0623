package dev.poolkeeper.core.retry;

import java.time.Duration;
import java.util.Arrays;

/**
 * Says how many of two ever-growing counts, first attempts and retries, fell into a trailing window of time. Time is
 * cut into slots; at the start of each the counts are noted, and what came since is a subtraction. So counting costs
 * the same whatever the traffic.
 *
 * <p>First attempts are counted in slots that lie wholly inside the window. Retries are counted in the same slots, or,
 * for a budget that shall hold in every trailing window, in the one before too, which the window may still touch.
 *
 * <p>Not thread-safe: used under the budget's lock.
 */
final class TrafficWindow {

    private final long slotNanos;
    private final int slots;
    private final int retrySlots;
    private final long[] firstsAtStart;
    private final long[] retriesAtStart;
    private long slot;
    private long slotStart;

    /**
     * @param length the window's
     * @param slots how many slots it has
     * @param retrySlots how many of the latest slots count for retries: {@code slots}, or one more
     */
    TrafficWindow(Duration length, int slots, int retrySlots, long now) {
        this.slotNanos = Math.max(1, length.toNanos() / slots);
        this.slots = slots;
        this.retrySlots = retrySlots;
        this.firstsAtStart = new long[retrySlots + 1];
        this.retriesAtStart = new long[retrySlots + 1];
        this.slot = firstsAtStart.length;
        this.slotStart = now;
    }

    /** The first attempts that came before the window. */
    long firstsBefore() {
        return firstsAtStart[indexOf(slot - slots + 1)];
    }

    /** The retries that came before the window. */
    long retriesBefore() {
        return retriesAtStart[indexOf(slot - retrySlots + 1)];
    }

    /** Whether the time lies before the present slot. */
    boolean isBehind(long time) {
        return time - slotStart < 0;
    }

    /** Moves on to the slot of the given time. What was counted until now belongs to the slots before it. */
    void moveTo(long now, long firsts, long retries) {
        long passed = now - slotStart;
        if (passed < 0) {
            stepBack(now, firsts);
        } else if (passed >= slotNanos) {
            stepForward(passed / slotNanos, firsts, retries);
        }
    }

    private void stepForward(long steps, long firsts, long retries) {
        slotStart += steps * slotNanos;
        for (long i = Math.min(steps, firstsAtStart.length); i > 0; i--) {
            slot++;
            firstsAtStart[indexOf(slot)] = firsts;
            retriesAtStart[indexOf(slot)] = retries;
        }
    }

    /**
     * A clock that goes back leaves open how old anything is. All retries of the window count as new, and all first
     * attempts as gone, which is right for every answer.
     */
    private void stepBack(long now, long firsts) {
        Arrays.fill(retriesAtStart, retriesBefore());
        Arrays.fill(firstsAtStart, firsts);
        slotStart = now;
    }

    private int indexOf(long number) {
        return (int) Math.floorMod(number, (long) firstsAtStart.length);
    }

    /** The first attempts of this window that are older than the given time, or may be. */
    private long firstsOlderThan(long time, long firsts) {
        for (long i = slot - slots + 1; i <= slot; i++) {
            if (startOf(i) - time >= 0) {
                return firstsAtStart[indexOf(i)] - firstsBefore();
            }
        }
        return firsts - firstsBefore();
    }

    /** The retries of this window that are certainly older than the given time. */
    private long retriesOlderThan(long time) {
        for (long i = slot; i > slot - retrySlots; i--) {
            if (startOf(i) - time <= 0) {
                return retriesAtStart[indexOf(i)] - retriesBefore();
            }
        }
        return 0;
    }

    private long startOf(long number) {
        return slotStart + (number - slot) * slotNanos;
    }

    /**
     * Takes over what another window holds, as if it had been counted here, with counts that start at 0 where the other
     * window begins.
     *
     * @param firsts all first attempts that the other one has seen
     */
    void inherit(TrafficWindow other, long firsts) {
        for (long i = slot - retrySlots; i <= slot; i++) {
            long start = startOf(i);
            firstsAtStart[indexOf(i)] = other.firstsOlderThan(start, firsts);
            retriesAtStart[indexOf(i)] = other.retriesOlderThan(start);
        }
    }

    long lengthNanos() {
        return slotNanos * slots;
    }
}
