package dev.poolkeeper.core.retry;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * A budget that counts over trailing windows of time.
 *
 * <ul>
 *   <li>A first attempt is counted by one atomic increment. A retry is admitted by one compare-and-set of a word that
 *       holds the count of retries and the version of the limits it was held against. So at the instant of its
 *       admission no other was admitted that it did not know of, and no slot of time was begun: two threads can never
 *       share the last one. Nothing is allocated; a lock is taken only when a slot of time has passed.
 *   <li>The clock may jump. Forward: what was counted grows old. Back by less than a slot: time stands still until it
 *       is caught up. Back further: retries start to age anew, first attempts are forgotten. It never admits more.
 *   <li>A withdrawal always reads the clock, and so does a deposit, but for dense traffic: in a slot after one of more
 *       than {@value #DENSE} first attempts they are noted in cells, and counted {@value #BATCH} at a time, under the
 *       lock, with one look at the clock, or when the slot is over. They count as of the latest time that anybody read,
 *       never as younger than they are. So a window may lack up to two times {@value #BATCH} first attempts of each of
 *       eight cells; it never has any too many.
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

    static final int DENSE = 8_192;
    static final int BATCH = 64;

    /** What admits so many retries at once knows no limit. */
    private static final long LARGEST_BALANCE = 1L << 40;

    /**
     * Where the two words are: side by side, because who deposits or withdraws needs both, and in the middle of an
     * array, so that no neighbour shares their cache line.
     */
    private static final int FIRSTS = 16;

    /** Retries in the upper bits: enough for four years of a million a second; the version in the lower. */
    private static final int RETRIES = FIRSTS + 1;

    private static final int VERSION_BITS = 16;
    static final long VERSION_MASK = (1L << VERSION_BITS) - 1;
    private static final long ONE_RETRY = 1L << VERSION_BITS;
    private static final long SEALED = -1;

    private final LongSupplier nanoTime;
    private final RetryRule rule;

    /** The window that the share is taken of. */
    private final TrafficWindow share;

    /** The window of the floor; the same one where the floor has none of its own. */
    private final TrafficWindow floor;

    private final DepositCells cells = new DepositCells();
    private final AtomicLongArray words = new AtomicLongArray(2 * FIRSTS);
    private final Limits limits = new Limits();

    /** From here on, for so long, the limits hold. */
    private volatile long currentFrom;

    private volatile long currentFor;

    /** Whether deposits go into cells first. */
    private volatile boolean dense;

    WindowBudget(LongSupplier nanoTime, RetryRule rule, TrafficWindow share, TrafficWindow floor) {
        this.nanoTime = nanoTime;
        this.rule = rule;
        this.share = share;
        this.floor = floor;
        publish();
    }

    @Override
    public final void deposit() {
        if (!dense) {
            keepUp();
            words.getAndIncrement(FIRSTS);
        } else if (cells.add() >= BATCH) {
            moveOn();
        }
    }

    @Override
    public final boolean tryWithdraw() {
        return withdraw() == Withdrawal.ADMITTED;
    }

    /**
     * The two words are read before the clock, while the cache line is still here from the deposit. That is as good: if
     * the slot is the same when the clock is read, it was when they were.
     */
    final Withdrawal withdraw() {
        long word = words.get(RETRIES);
        long firsts = words.get(FIRSTS);
        if (!isCurrent(nanoTime.getAsLong())) {
            moveOn();
            word = words.get(RETRIES);
            firsts = words.get(FIRSTS);
        }
        while (true) {
            if (word == SEALED) {
                return Withdrawal.TAKEN_OVER;
            }
            long version = word & VERSION_MASK;
            if (admits(word >> VERSION_BITS, version, firsts)) {
                if (words.compareAndSet(RETRIES, word, word + ONE_RETRY)) {
                    return Withdrawal.ADMITTED;
                }
            } else if (limits.areOf(version)) {
                return Withdrawal.REFUSED;
            }
            Thread.onSpinWait();
            word = words.get(RETRIES);
            firsts = words.get(FIRSTS);
        }
    }

    private boolean admits(long retries, long version, long firsts) {
        if (retries < limits.floorLimit(version)) {
            return true;
        }
        long beyond = retries + 1 - limits.shareBase(version);
        return rule.shareAllows(beyond, firsts - limits.firstsBefore(version));
    }

    /** By halves: what the rule does not admit it does not admit with more retries either. */
    @Override
    public final OptionalLong balance() {
        keepUp();
        long word = words.get(RETRIES);
        if (word == SEALED) {
            return OptionalLong.of(0);
        }
        long admitted = word >> VERSION_BITS;
        long version = word & VERSION_MASK;
        long firsts = words.get(FIRSTS);
        long yes = 0; // so many are admitted
        long no = 1; // so many are not
        while (no < LARGEST_BALANCE && admits(admitted + no - 1, version, firsts)) {
            yes = no;
            no *= 2;
        }
        if (no == LARGEST_BALANCE) {
            return OptionalLong.empty();
        }
        while (no - yes > 1) {
            long middle = (yes + no) / 2;
            if (admits(admitted + middle - 1, version, firsts)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return OptionalLong.of(yes);
    }

    private void keepUp() {
        if (!isCurrent(nanoTime.getAsLong())) {
            moveOn();
        }
    }

    private boolean isCurrent(long now) {
        return Long.compareUnsigned(now - currentFrom, currentFor) < 0;
    }

    /**
     * Counts what was deposited in dense traffic, as of the slot that is over if one is. The time is read again under
     * the lock: who waited for it must not take the time back.
     */
    private synchronized void moveOn() {
        words.getAndAdd(FIRSTS, cells.takeAll());
        long now = nanoTime.getAsLong();
        long word = words.get(RETRIES);
        if (word == SEALED || isCurrent(now)) {
            return;
        }
        long firsts = words.get(FIRSTS);
        long retries = word >> VERSION_BITS;
        if (!share.isCurrent(now)) {
            dense = share.moveTo(now, firsts, retries) > DENSE;
        }
        if (!floor.isCurrent(now)) {
            floor.moveTo(now, firsts, retries);
        }
        publish();
    }

    /** Brings into force what the windows say now. Retries that are admitted meanwhile count as of the new slot. */
    private void publish() {
        long word = words.get(RETRIES);
        long version = (word + 1) & VERSION_MASK;
        limits.write(version, rule.floorLimit(share, floor), rule.shareBase(share), share.firstsBefore());
        while (!words.compareAndSet(RETRIES, word, (word & ~VERSION_MASK) | version)) {
            word = words.get(RETRIES);
        }
        limits.inForce(version);
        long from = later(share.slotStart(), floor.slotStart());
        currentFor = 0; // so that nobody sees the new beginning with the old length
        currentFrom = from;
        currentFor = Math.min(share.slotEnd() - from, floor.slotEnd() - from);
    }

    private static long later(long time, long other) {
        return time - other >= 0 ? time : other;
    }

    /**
     * Starts with what another budget has seen, which admits nothing from then on. To be called before any other use.
     */
    final void takeOver(WindowBudget other) {
        synchronized (other) {
            other.moveOn();
            long admitted = other.words.getAndSet(RETRIES, SEALED) >> VERSION_BITS;
            long seen = other.words.get(FIRSTS);
            TrafficWindow source = other.floor.lengthNanos() > other.share.lengthNanos() ? other.floor : other.share;
            share.inherit(source, seen);
            if (floor != share) {
                floor.inherit(source, seen);
            }
            words.set(FIRSTS, source.firstsIn(seen));
            words.set(RETRIES, source.retriesIn(admitted) << VERSION_BITS);
            publish();
        }
    }
}
