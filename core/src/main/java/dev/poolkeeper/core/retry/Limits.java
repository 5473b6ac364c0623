package dev.poolkeeper.core.retry;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What holds for withdrawals until a slot of time has passed, for readers that take no lock. There are two places, for
 * limits of even and of odd versions: the next ones are written while the present ones are read. A version's place is
 * written again only after the next version came into force; who finds after reading that it did not has read limits of
 * one version.
 */
final class Limits {

    private static final int FLOOR_LIMIT = 0;
    private static final int SHARE_BASE = 1;
    private static final int FIRSTS_BEFORE = 2;
    private static final int PLACE = 4;

    private final AtomicLongArray values = new AtomicLongArray(2 * PLACE);
    private volatile long inForce;

    /** Writes the limits of a version that is not yet in force; only under the lock of the budget. */
    void write(long version, long floorLimit, long shareBase, long firstsBefore) {
        int place = place(version);
        values.set(place + FLOOR_LIMIT, floorLimit);
        values.set(place + SHARE_BASE, shareBase);
        values.set(place + FIRSTS_BEFORE, firstsBefore);
    }

    /** The budget's word tells this version from now on; only under its lock. */
    void inForce(long version) {
        inForce = version;
    }

    /** Whether limits that were read as of this version, after the budget's word told it, are all of this version. */
    boolean areOf(long version) {
        long latest = inForce;
        return latest == version || latest == ((version - 1) & WindowBudget.VERSION_MASK);
    }

    /** See {@link RetryRule#floorLimit}. */
    long floorLimit(long version) {
        return values.getAcquire(place(version) + FLOOR_LIMIT);
    }

    /** See {@link RetryRule#shareBase}. */
    long shareBase(long version) {
        return values.getAcquire(place(version) + SHARE_BASE);
    }

    /** See {@link TrafficWindow#firstsBefore}. */
    long firstsBefore(long version) {
        return values.getAcquire(place(version) + FIRSTS_BEFORE);
    }

    private static int place(long version) {
        return (int) (version & 1) * PLACE;
    }
}
