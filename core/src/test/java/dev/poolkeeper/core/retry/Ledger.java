package dev.poolkeeper.core.retry;

import java.util.ArrayList;
import java.util.List;

/**
 * A plain list of events and their times, to compare a budget with. Its time only moves forward: it stands still while
 * the clock is less than {@code tolerance} behind, and restarts after a larger jump, when everything not yet older than
 * {@code length} counts as just happened.
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

    /** Removes the latest retry, which was not admitted. */
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
