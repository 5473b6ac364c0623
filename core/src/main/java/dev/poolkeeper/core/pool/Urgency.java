package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Comparator;

/**
 * The urgency of the operations of a pool that wait.
 *
 * @param pool the pool
 * @param since the time of the first change that no update has taken up; if guards held what is left, the time at which
 *     they let it go
 * @param isOutage whether addresses are wanted and the pool is known to hold none of them
 * @param missing the number of wanted addresses that the pool is known to lack
 * @param wanted the number of wanted addresses; 0 while its contents are unknown
 */
public record Urgency(PoolKey pool, Instant since, boolean isOutage, long missing, long wanted) {

    private static final Comparator<Urgency> BY_AGE = Comparator.comparing(Urgency::since);

    private static final Comparator<Urgency> BY_NEED = Comparator.comparing(Urgency::isOutage)
            .reversed()
            .thenComparing(Urgency::byShare)
            .thenComparing(BY_AGE)
            .thenComparing(urgency -> urgency.pool().loadBalancer())
            .thenComparing(urgency -> urgency.pool().pool());

    /** @param operations those that wait, at least one */
    static Urgency of(Pool pool, OperationGroup operations) {
        Instant since = since(pool.backlog(), operations);
        if (pool.known().isEmpty()) {
            return new Urgency(pool.key(), since, false, 0, 0);
        }
        AddressSet held = pool.known().get().addresses();
        AddressSet wanted = wanted(pool.wants(), operations.services().get(0));
        int missing = wanted.size() - wanted.common(held);
        return new Urgency(pool.key(), since, !wanted.isEmpty() && missing == wanted.size(), missing, wanted.size());
    }

    /**
     * The time in a hold does not count: who pauses many Services for long does not go before all others after that.
     */
    private static Instant since(Backlog backlog, OperationGroup operations) {
        Instant first = OperationGroup.notTakenUp(operations.operations());
        return first == null ? Backlog.later(operations.since(), backlog.letGo()) : first;
    }

    /** What all Services of the pool want in it, when the changes of one of them are written. */
    private static AddressSet wanted(Wants wants, ServiceName one) {
        return wants.wanted(one).union(wants.wantedByOthers(one));
    }

    /**
     * The order in which updates are made, the most urgent first. Those that have waited too long go before all others,
     * in order of age; those of equal age, and the others, in order of need.
     *
     * @param overdue those that have waited since before this have waited too long
     */
    public static Comparator<Urgency> order(Instant overdue) {
        return Comparator.<Urgency, Boolean>comparing(urgency -> urgency.isOverdue(overdue))
                .reversed()
                .thenComparing((a, b) -> a.isOverdue(overdue) ? BY_AGE.compare(a, b) : 0)
                .thenComparing(BY_NEED);
    }

    private boolean isOverdue(Instant overdue) {
        return since.isBefore(overdue);
    }

    /** Whether the update may use the last of a quota: an outage, or one that has waited too long. */
    public boolean isUrgent(Instant overdue) {
        return isOverdue(overdue) || isOutage;
    }

    /** Compares missing / wanted, the larger first; if no addresses are wanted, none are missing. */
    private int byShare(Urgency other) {
        return Long.compare(other.missing * Math.max(1, wanted), missing * Math.max(1, other.wanted));
    }
}
