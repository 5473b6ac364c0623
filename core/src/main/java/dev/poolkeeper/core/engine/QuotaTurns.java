package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.pool.Urgency;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.WriteQuota;
import dev.poolkeeper.ports.WriteQuota.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides which pools may be updated while the quota is nearly exhausted: one at a time across the cluster, the most
 * urgent pool of all load balancers first.
 *
 * <ul>
 *   <li>{@link Level#SCARCE}: urgent pools (outages and overdue pools) start at once; if there are none, one other pool
 *       while no update is in progress.
 *   <li>{@link Level#LAST}: one urgent pool, while no update is in progress. The remaining quota is left to other
 *       writers.
 *   <li>{@link Level#NONE}: no pool.
 * </ul>
 *
 * <p>No pool starves, because a waiting pool becomes overdue and therefore urgent. Thread-safe.
 */
final class QuotaTurns {

    /** The shortest time between two choices. */
    static final Duration BETWEEN = Duration.ofSeconds(1);

    private final WriteQuota quota;
    private final Object lock;
    private final Set<PoolKey> chosen = new HashSet<>();
    private Instant chosenAt = Instant.MIN;
    private Level chosenAtLevel = Level.AMPLE;

    /** @param lock guards it; not held while the quota is asked */
    QuotaTurns(WriteQuota quota, Object lock) {
        this.quota = requireNonNull(quota, "quota");
        this.lock = lock;
    }

    /** Whether the quota is low enough to take turns. */
    boolean isShort() {
        return quota.level() != Level.AMPLE;
    }

    /**
     * Chooses again if the quota is low and the next choice is due.
     *
     * @param due the pools that may be tried now
     * @param overdue those that have waited since before this have waited too long
     * @param isBusy whether an update is in progress
     */
    void choose(Supplier<List<Urgency>> due, Instant overdue, boolean isBusy, Instant now) {
        Level level = quota.level();
        synchronized (lock) {
            if (level == Level.AMPLE) {
                chosen.clear();
            } else if (!now.isBefore(nextChoice())) {
                chosenAt = now;
                chosenAtLevel = level;
                chosen.clear();
                if (level == Level.SCARCE || level == Level.LAST && !isBusy) {
                    choose(due.get(), overdue, level == Level.SCARCE, isBusy);
                }
            }
        }
    }

    private void choose(List<Urgency> due, Instant overdue, boolean isScarce, boolean isBusy) {
        List<Urgency> urgent = due.stream().filter(it -> it.isUrgent(overdue)).toList();
        List<Urgency> candidates = urgent.isEmpty() && isScarce && !isBusy ? due : urgent;
        candidates.stream()
                .sorted(Urgency.order(overdue))
                .limit(isScarce && !urgent.isEmpty() ? Long.MAX_VALUE : 1)
                .map(Urgency::pool)
                .forEach(chosen::add);
    }

    /** The earliest time of the next choice. */
    Instant nextChoice() {
        synchronized (lock) {
            return chosenAt.equals(Instant.MIN) ? chosenAt : chosenAt.plus(BETWEEN);
        }
    }

    boolean mayStart(PoolKey pool) {
        Level level = quota.level();
        synchronized (lock) {
            return level == Level.AMPLE || chosen.contains(pool) && level.compareTo(chosenAtLevel) <= 0;
        }
    }

    /** The update of this pool started, which ends its turn. */
    void started(PoolKey pool) {
        synchronized (lock) {
            chosen.remove(pool);
        }
    }
}
