package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Fight;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backs off from a pool that another writer keeps changing back. A change-back is counted when a pool no longer holds
 * what our last write left in it and the same contents must be written again; each successful write counts for at most
 * one change-back, however many attempts the next one takes. Thread-safe.
 */
public final class DriftBackOff implements Guard {

    private static final Logger log = LoggerFactory.getLogger(DriftBackOff.class);

    private final DriftSettings settings;
    private final Pools known;
    private final InstantSource clock;

    public DriftBackOff(DriftSettings settings, Pools known, InstantSource clock) {
        this.settings = settings;
        this.known = known;
        this.clock = clock;
    }

    @Override
    public Verdict judge(Plan plan) {
        Fight fight = known.get(plan.pool()).fight();
        if (fight == null || !fight.until().isAfter(clock.instant()) || fight.owed()) {
            return Verdict.GO;
        }
        return new Verdict.Hold(new HoldCause.ChangedBack(fight.changedBack(), fight.until()));
    }

    /** The write that answers a change-back goes ahead; only the next one waits. */
    public void wasRead(Plan plan) {
        boolean wantsTheSame = known.get(plan.pool())
                .known()
                .map(KnownPool::landed)
                .filter(plan.planned()::equals)
                .isPresent();
        if (wantsTheSame && known.noticeChangeByAnother(plan.pool(), plan.held())) {
            changedBack(plan.pool());
        }
    }

    public void wasWritten(Plan plan) {
        known.change(plan.pool(), pool -> pool.withFight(fight -> fight == null ? null : fight.written()));
    }

    public void wasOverwritten(Plan plan) {
        changedBack(plan.pool());
        wasWritten(plan);
    }

    private void changedBack(PoolKey pool) {
        Fight fight = next(known.get(pool).fight(), clock.instant());
        known.change(pool, it -> it.withFight(before -> fight));
        if (fight.changedBack() == settings.times()) {
            log.atWarn()
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("pool", pool.pool())
                    .addKeyValue("times", fight.changedBack())
                    .log("Another writer keeps changing a pool back; writing it less often");
        }
    }

    private Fight next(@Nullable Fight before, Instant now) {
        boolean isOver = before != null && isOver(before, now);
        int times = before == null || isOver ? 1 : before.changedBack() + 1;
        Duration wait =
                times < settings.times() ? Duration.ZERO : settings.waits().before(times - settings.times() + 1);
        return new Fight(times, now, now.plus(wait), true);
    }

    private boolean isOver(Fight fight, Instant now) {
        return fight.last().plus(settings.calmAfter()).isBefore(now);
    }

    /** Forgets the fights that are over. Call this periodically. */
    public void forgetEnded() {
        Instant now = clock.instant();
        known.each(Pool::fight).forEach((pool, fight) -> {
            if (isOver(fight, now)) {
                known.change(pool, it -> ended(it, fight));
                logEnd(pool, fight);
            }
        });
    }

    private static Pool ended(Pool pool, Fight fight) {
        return pool.withFight(last -> fight.equals(last) ? null : last)
                .withoutReported(report -> report.by() == HoldCause.By.DRIFT);
    }

    private void logEnd(PoolKey pool, Fight fight) {
        if (fight.changedBack() >= settings.times()) {
            log.atInfo()
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("pool", pool.pool())
                    .log("Pool is no longer changed back; writing it as usual");
        }
    }

    /** The pools that another writer keeps changing back, each with the instant before which it is not written. */
    public Map<PoolKey, Instant> fights() {
        return known.each(Pool::fight).entrySet().stream()
                .filter(entry -> entry.getValue().changedBack() >= settings.times())
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().until()));
    }
}
