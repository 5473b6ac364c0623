package dev.poolkeeper.core.retry;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * A budget that counts over trailing windows of time.
 *
 * <ul>
 *   <li>A first attempt is counted by one atomic increment; a retry is admitted by one compare-and-set, so two threads
 *       can never share the last one. A lock is taken only when a slot of time has passed. Nothing is allocated.
 *   <li>The clock may jump. Forward: what was counted grows old. Back by less than a slot: time stands still until it
 *       is caught up. Back further: retries start to age anew, first attempts are forgotten. It never admits more.
 * </ul>
 *
 * <p>Thread-safe.
 */
public abstract sealed class WindowBudget implements RetryBudget permits GatewayApiBudget, LinkerdBudget {

    /** What became of a withdrawal. */
    enum Withdrawal {
        ADMITTED,
        REFUSED,
        /** Another budget has taken over; ask that one. */
        TAKEN_OVER
    }

    private static final long SEALED = -1;

    /** What admits so many retries at once knows no limit. */
    private static final long LARGEST_BALANCE = 1L << 40;

    /**
     * Where the counts are: side by side, because who deposits or withdraws needs both, and in the middle of an array,
     * so that no neighbour shares their cache line.
     */
    private static final int FIRSTS = 16;

    private static final int RETRIES = FIRSTS + 1;

    private final LongSupplier nanoTime;
    private final AtomicLongArray counts = new AtomicLongArray(2 * FIRSTS);

    /** The window that the share is taken of. */
    final TrafficWindow share;

    /** The window of the floor; the same one where the floor has none of its own. */
    final TrafficWindow floor;

    WindowBudget(LongSupplier nanoTime, Duration length, int slots, int retrySlots) {
        this.nanoTime = nanoTime;
        this.share = new TrafficWindow(length, slots, retrySlots, nanoTime.getAsLong());
        this.floor = share;
    }

    WindowBudget(LongSupplier nanoTime, Duration length, Duration floorLength, int slots) {
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.share = new TrafficWindow(length, slots, slots + 1, now);
        this.floor = new TrafficWindow(floorLength, slots, slots + 1, now);
    }

    /**
     * Whether the rule allows one more retry.
     *
     * @param retries how many have ever been admitted
     */
    abstract boolean admits(long retries);

    /** First attempts in the window of the share. Ask after the retries, see {@link TrafficWindow}. */
    final long firstsInWindow() {
        long before = share.firstsBefore();
        return counts.get(FIRSTS) - before;
    }

    @Override
    public final void deposit() {
        keepUp();
        counts.getAndIncrement(FIRSTS);
    }

    @Override
    public final boolean tryWithdraw() {
        return withdraw() == Withdrawal.ADMITTED;
    }

    final Withdrawal withdraw() {
        keepUp();
        while (true) {
            long admitted = counts.get(RETRIES);
            if (admitted == SEALED) {
                return Withdrawal.TAKEN_OVER;
            }
            if (!admits(admitted)) {
                return Withdrawal.REFUSED;
            }
            if (counts.compareAndSet(RETRIES, admitted, admitted + 1)) {
                return Withdrawal.ADMITTED;
            }
            Thread.onSpinWait();
        }
    }

    /** By halves: what the rule does not admit it does not admit with more retries either. */
    @Override
    public final OptionalLong balance() {
        keepUp();
        long admitted = counts.get(RETRIES);
        if (admitted == SEALED) {
            return OptionalLong.of(0);
        }
        long yes = 0; // so many are admitted
        long no = 1; // so many are not
        while (no < LARGEST_BALANCE && admits(admitted + no - 1)) {
            yes = no;
            no *= 2;
        }
        if (no == LARGEST_BALANCE) {
            return OptionalLong.empty();
        }
        while (no - yes > 1) {
            long middle = (yes + no) / 2;
            if (admits(admitted + middle - 1)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return OptionalLong.of(yes);
    }

    private void keepUp() {
        long now = nanoTime.getAsLong();
        if (!share.isCurrent(now) || !floor.isCurrent(now)) {
            moveOn();
        }
    }

    /** The time is read again under the lock: who waited for it must not take the time back. */
    private synchronized void moveOn() {
        long now = nanoTime.getAsLong();
        long admitted = counts.get(RETRIES);
        if (admitted == SEALED) {
            return;
        }
        if (!share.isCurrent(now)) {
            share.moveTo(now, counts.get(FIRSTS), admitted);
        }
        if (!floor.isCurrent(now)) {
            floor.moveTo(now, counts.get(FIRSTS), admitted);
        }
    }

    /**
     * Starts with what another budget has seen, which admits nothing from then on. To be called before any other use.
     */
    final void takeOver(WindowBudget other) {
        synchronized (other) {
            other.moveOn();
            long admitted = other.counts.getAndSet(RETRIES, SEALED);
            long seen = other.counts.get(FIRSTS);
            TrafficWindow source = other.floor.lengthNanos() > other.share.lengthNanos() ? other.floor : other.share;
            share.inherit(source, seen);
            if (floor != share) {
                floor.inherit(source, seen);
            }
            counts.set(FIRSTS, source.firstsIn(seen));
            counts.set(RETRIES, source.retriesIn(admitted));
        }
    }
}
