package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

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
 * Which pools may be updated while little is left of the quota: the whole cluster takes turns, the most urgent pool of
 * all load balancers first.
 *
 * <ul>
 *   <li>{@link Level#SCARCE}: what is urgent, an outage or an overdue pool, goes at once; if there is none, one other
 *       pool, while no update is in progress.
 *   <li>{@link Level#LAST}: one urgent pool, while no update is in progress. The rest is for other writers.
 *   <li>{@link Level#NONE}: nothing.
 * </ul>
 *
 * <p>Nothing starves: what waits becomes overdue, and so urgent. Thread-safe.
 */
final class QuotaTurns {

    /** Between two choices at least. */
    static final Duration BETWEEN = Duration.ofSeconds(1);

    private final WriteQuota quota;
    private final Set<PoolKey> chosen = new HashSet<>();
    private Instant chosenAt = Instant.MIN;

    QuotaTurns(WriteQuota quota) {
        this.quota = requireNonNull(quota, "quota");
    }

    /** Whether turns are taken at all. */
    boolean isShort() {
        return quota.level() != Level.AMPLE;
    }

    /**
     * Chooses again, if turns are taken and it is time.
     *
     * @param due what may be tried now, the most urgent first
     * @param isBusy whether an update is in progress
     */
    synchronized void choose(Supplier<List<Urgency>> due, boolean isBusy, Instant now) {
        Level level = quota.level();
        if (level == Level.AMPLE || now.isBefore(nextChoice())) {
            return;
        }
        chosenAt = now;
        chosen.clear();
        List<Urgency> candidates = level == Level.NONE || level == Level.LAST && isBusy ? List.of() : due.get();
        List<Urgency> urgent = candidates.stream().filter(Urgency::isUrgent).toList();
        long most = level == Level.SCARCE ? Long.MAX_VALUE : 1;
        urgent.stream().limit(most).map(Urgency::pool).forEach(chosen::add);
        if (level == Level.SCARCE && urgent.isEmpty() && !isBusy) {
            candidates.stream().limit(1).map(Urgency::pool).forEach(chosen::add);
        }
    }

    /** When to choose again at the earliest. */
    synchronized Instant nextChoice() {
        return chosenAt.equals(Instant.MIN) ? chosenAt : chosenAt.plus(BETWEEN);
    }

    synchronized boolean mayStart(PoolKey pool) {
        return !isShort() || chosen.contains(pool);
    }

    /** Its turn is over. */
    synchronized void started(PoolKey pool) {
        chosen.remove(pool);
    }
}
