package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Comparator;

/**
 * How urgently a pool is to be updated; the smallest is first.
 *
 * @param pool the pool
 * @param since when the first change came that no update has taken up
 * @param isOverdue whether it has waited for too long: those go first, the longest waiting before the others, and of
 *     those that have waited equally long the outages
 * @param isOutage whether something is wanted and the pool is known to hold none of it
 * @param missing how many of the wanted addresses the pool is known to lack
 * @param wanted how many addresses are wanted
 */
record Urgency(PoolKey pool, Instant since, boolean isOverdue, boolean isOutage, long missing, long wanted)
        implements Comparable<Urgency> {

    private static final Comparator<Urgency> EQUALLY_URGENT = Comparator.comparing(Urgency::since)
            .thenComparing(urgency -> urgency.pool().loadBalancer())
            .thenComparing(urgency -> urgency.pool().pool());

    static Urgency of(OperationGroup group, AddressSet wanted, AddressSet held, boolean isOverdue) {
        int missing = wanted.size() - wanted.common(held);
        return new Urgency(
                group.pool(),
                group.since(),
                isOverdue,
                !wanted.isEmpty() && missing == wanted.size(),
                missing,
                wanted.size());
    }

    /** Of a pool of which is not known what it holds. */
    static Urgency ofUnknown(OperationGroup group, boolean isOverdue) {
        return new Urgency(group.pool(), group.since(), isOverdue, false, 0, 0);
    }

    /** Whether it is worth the last of a quota. */
    boolean isUrgent() {
        return isOverdue || isOutage;
    }

    @Override
    public int compareTo(Urgency other) {
        if (isOverdue != other.isOverdue) {
            return isOverdue ? -1 : 1;
        }
        if (isOverdue && !since.equals(other.since)) {
            return since.compareTo(other.since);
        }
        if (isOutage != other.isOutage) {
            return isOutage ? -1 : 1;
        }
        if (share(other) != 0) {
            return share(other);
        }
        return EQUALLY_URGENT.compare(this, other);
    }

    /** Compares missing / wanted, the larger first; where nothing is wanted nothing is missing. */
    private int share(Urgency other) {
        return Long.compare(other.missing * Math.max(1, wanted), missing * Math.max(1, other.wanted));
    }
}
