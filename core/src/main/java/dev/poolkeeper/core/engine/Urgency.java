package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Comparator;

/**
 * The urgency of a pool's update; the smallest comes first.
 *
 * @param pool the pool
 * @param since the time of the first change that no update has included
 * @param isOverdue whether it has waited too long: overdue pools go first, ordered by waiting time, and outages first
 *     among pools that waited equally long
 * @param isOutage whether addresses are wanted and the pool is known to hold none of them
 * @param missing the number of wanted addresses that the pool is known to lack
 * @param wanted the number of wanted addresses
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

    /** The urgency of a pool with unknown contents. */
    static Urgency ofUnknown(OperationGroup group, boolean isOverdue) {
        return new Urgency(group.pool(), group.since(), isOverdue, false, 0, 0);
    }

    /** Whether the update may use the last of a quota. */
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

    /** Compares missing / wanted, the larger first; if no addresses are wanted, none are missing. */
    private int share(Urgency other) {
        return Long.compare(other.missing * Math.max(1, wanted), missing * Math.max(1, other.wanted));
    }
}
