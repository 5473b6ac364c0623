package dev.poolkeeper.core.retry;

import java.util.ArrayList;
import java.util.List;

/**
 * A plain list of what happened and when, to hold a budget against. Its time goes forward only: it stands still while
 * the clock is less than {@code tolerance} behind, and starts again after a longer jump, with everything that was not
 * past {@code length} by then as old as nothing.
 */
final class Ledger {

    private final long length;
    private final long tolerance;
    private final List<Long> firsts = new ArrayList<>();
    private final List<Long> retries = new ArrayList<>();
    private long high;

    Ledger(long length, long tolerance, long now) {
        this.length = length;
        this.tolerance = tolerance;
        this.high = now;
    }

    void at(long now) {
        if (now <= high - tolerance) {
            firsts.removeIf(time -> time <= high - length);
            retries.removeIf(time -> time <= high - length);
            firsts.replaceAll(time -> now);
            retries.replaceAll(time -> now);
            high = now;
        }
        high = Math.max(high, now);
    }

    void first() {
        firsts.add(high);
    }

    void retry() {
        retries.add(high);
    }

    /** The latest one was none. */
    void takeBackRetry() {
        retries.remove(retries.size() - 1);
    }

    long firstsWithin(long nanos) {
        return count(firsts, nanos);
    }

    long retriesWithin(long nanos) {
        return count(retries, nanos);
    }

    private long count(List<Long> times, long nanos) {
        return times.stream().filter(time -> time > high - nanos).count();
    }
}
