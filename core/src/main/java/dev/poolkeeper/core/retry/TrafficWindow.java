package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.time.Duration;
import java.util.Arrays;

/**
 * Computes how much of two growing counts, first attempts and retries, falls into a trailing window of time. Time is
 * divided into slots; the counts are recorded at the start of each slot and later subtracted. The cost does not depend
 * on the traffic.
 *
 * <p>Because time is counted in slots, first attempts may be forgotten a slot too early and retries a slot too late,
 * never the other way around.
 *
 * <p>Not thread-safe: used under the budget's lock.
 */
final class TrafficWindow {

    private final Size size;
    private final long slotNanos;
    private final long[] firstsAtStart;
    private final long[] retriesAtStart;
    private long slot;
    private long slotStart;

    /**
     * The size of a window. First attempts are counted in slots that lie wholly inside the window. Retries are counted
     * in the same slots; for a budget that must hold in every trailing window, also in the slot before them, which the
     * window may overlap.
     *
     * @param length the length of the window
     * @param slots the number of slots
     * @param retrySlots the number of latest slots that count for retries: {@code slots} or one more
     */
    record Size(Duration length, int slots, int retrySlots) {

        /** The window of a budget's share. */
        static Size ofShare(BudgetSettings settings) {
            return switch (settings) {
                case BudgetSettings.GatewayApi gatewayApi -> trailing(gatewayApi.interval());
                case BudgetSettings.Linkerd linkerd -> tenSlots(linkerd.ttl());
                default -> tenSlots(BudgetSettings.Linkerd.DEFAULT.ttl());
            };
        }

        /** The window of a budget's floor. */
        static Size ofFloor(BudgetSettings settings) {
            return settings instanceof BudgetSettings.GatewayApi gatewayApi
                    ? trailing(gatewayApi.minRetryRate().interval())
                    : ofShare(settings);
        }

        /** Makes counts exact to 1/500 of the interval. */
        private static Size trailing(Duration length) {
            return new Size(length, 500, 501);
        }

        /**
         * Linkerd's: ten slots, including the current one. First attempts and retries expire together, so the reserve
         * may be spent at once, and again after another {@code ttl}.
         */
        private static Size tenSlots(Duration length) {
            return new Size(length, 10, 10);
        }

        private long slotNanos() {
            return Math.max(1, length.toNanos() / slots);
        }
    }

    TrafficWindow(Size size, long now) {
        this.size = size;
        this.slotNanos = size.slotNanos();
        this.firstsAtStart = new long[size.retrySlots() + 1];
        this.retriesAtStart = new long[size.retrySlots() + 1];
        this.slot = firstsAtStart.length;
        this.slotStart = now;
    }

    /** The number of first attempts before the window. */
    long firstsBefore() {
        return firstsAt(slot - size.slots() + 1);
    }

    /** The number of retries before the window. */
    long retriesBefore() {
        return retriesAt(slot - size.retrySlots() + 1);
    }

    boolean isLongerThan(TrafficWindow other) {
        return size.length().compareTo(other.size.length()) > 0;
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

    /**
     * A window of another size with the contents of this one. Within a slot of this window, first attempts count as
     * early as they may have been made, and retries as late. A slot of the new window begins now.
     *
     * @param now the time that this window was moved to
     * @param firsts the number of first attempts so far
     */
    TrafficWindow resized(Size newSize, long now, long firsts) {
        long oldest = slot - size.retrySlots();
        long slotsSince = Math.ceilDiv(now - startOf(oldest), newSize.slotNanos());
        TrafficWindow resized = new TrafficWindow(newSize, now - slotsSince * newSize.slotNanos());
        Arrays.fill(resized.firstsAtStart, firstsAt(oldest));
        Arrays.fill(resized.retriesAtStart, retriesAt(oldest));
        for (long i = oldest + 1; i <= slot; i++) {
            resized.moveTo(startOf(i) - 1, firstsAt(i), retriesAt(i - 1));
            resized.moveTo(startOf(i), firstsAt(i), retriesAt(i));
        }
        resized.moveTo(now, firsts, retriesAt(slot));
        return resized;
    }

    private long startOf(long number) {
        return slotStart + (number - slot) * slotNanos;
    }

    private long firstsAt(long number) {
        return firstsAtStart[indexOf(number)];
    }

    private long retriesAt(long number) {
        return retriesAtStart[indexOf(number)];
    }

    private int indexOf(long number) {
        return (int) Math.floorMod(number, (long) firstsAtStart.length);
    }
}
