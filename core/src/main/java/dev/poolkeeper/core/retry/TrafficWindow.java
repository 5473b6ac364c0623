package dev.poolkeeper.core.retry;

import java.time.Duration;
import java.util.Arrays;

/**
 * Computes how much of two growing counts, first attempts and retries, falls into a trailing window of time. Time is
 * divided into slots; the counts are recorded at the start of each slot and later subtracted. The cost does not depend
 * on the traffic.
 *
 * <p>First attempts are counted in slots that lie wholly inside the window. Retries are counted in the same slots; for
 * a budget that must hold in every trailing window, also in the slot before them, which the window may overlap.
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
     * @param length the length of the window
     * @param slots the number of slots
     * @param retrySlots the number of latest slots that count for retries: {@code slots} or one more
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

    /** The number of first attempts before the window. */
    long firstsBefore() {
        return firstsAtStart[indexOf(slot - slots + 1)];
    }

    /** The number of retries before the window. */
    long retriesBefore() {
        return retriesAtStart[indexOf(slot - retrySlots + 1)];
    }

    /** Whether the time lies before the current slot. */
    boolean isBehind(long time) {
        return time - slotStart < 0;
    }

    /** Advances to the slot of the given time. The given counts belong to the slots before it. */
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
     * Handles a clock that went back, after which ages are unknown. Counts all retries of the window as new and all
     * first attempts as expired, which never admits too many retries.
     */
    private void stepBack(long now, long firsts) {
        Arrays.fill(retriesAtStart, retriesBefore());
        Arrays.fill(firstsAtStart, firsts);
        slotStart = now;
    }

    private int indexOf(long number) {
        return (int) Math.floorMod(number, (long) firstsAtStart.length);
    }

    /** The number of first attempts in this window that are, or may be, older than the given time. */
    private long firstsOlderThan(long time, long firsts) {
        for (long i = slot - slots + 1; i <= slot; i++) {
            if (startOf(i) - time >= 0) {
                return firstsAtStart[indexOf(i)] - firstsBefore();
            }
        }
        return firsts - firstsBefore();
    }

    /** The number of retries in this window that are certainly older than the given time. */
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
     * Takes over the contents of another window as if they had been counted here, with counts that start at 0 at the
     * start of the other window.
     *
     * @param firsts the total number of first attempts that the other window has seen
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
