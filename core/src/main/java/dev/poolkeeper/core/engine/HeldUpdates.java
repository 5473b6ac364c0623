package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Notes that the updates of pools are held, and no longer, and says so. Thread-safe. */
final class HeldUpdates {

    /** Holds that an operator requested are not reported on Services, unless others share the pool. */
    private static final Set<Held.By> REPORTED =
            EnumSet.of(Held.By.SAFETY_BRAKE, Held.By.FORBIDDEN, Held.By.DRIFT, Held.By.RETRY_BUDGET);

    /** Causes whose end no guard reports. */
    private static final Set<Held.By> ENDS_WITH_THE_HOLD = EnumSet.of(Held.By.SERVICE_PAUSE, Held.By.RETRY_BUDGET);

    private final HoldNotices notices;
    private final Pools pools;
    private final Facts facts;
    private final InstantSource clock;

    HeldUpdates(HoldNotices notices, Pools pools, Facts facts, InstantSource clock) {
        this.notices = notices;
        this.facts = facts;
        this.pools = pools;
        this.clock = clock;
    }

    void hold(PoolKey pool, List<ServiceName> services, Held because) {
        Optional<HeldUpdate> before =
                pools.change(pool, it -> it.held(because, clock.instant())).hold();
        boolean isNew =
                before.filter(last -> last.because().by() == because.by()).isEmpty();
        if (REPORTED.contains(because.by())) {
            notices.report(allOf(pool, services), pool, because);
        } else if (because.by() == Held.By.SERVICE_PAUSE) {
            reportToSharing(pool, because);
        }
        if (isNew) {
            facts.append(new Fact.HoldBegan(pool, services, because));
        }
        facts.deliver();
    }

    /** Those that share the pool, and those whose update is held: what waits may be any one's next. */
    private List<ServiceName> allOf(PoolKey pool, List<ServiceName> services) {
        return Stream.concat(pools.get(pool).wants().services().stream(), services.stream())
                .distinct()
                .toList();
    }

    private void reportToSharing(PoolKey pool, Held because) {
        List<ServiceName> all = pools.get(pool).wants().services();
        if (all.size() > 1) {
            String text = because.text() + " It shares this pool: its changes wait, and what it wanted before stays.";
            notices.report(all, pool, new Held(because.by(), because.until(), text, because.remedy()));
        }
    }

    /** The update is no longer held. */
    void release(PoolKey pool) {
        pools.change(pool, Pool::notHeld).hold().ifPresent(before -> released(pool, before));
    }

    private void released(PoolKey pool, HeldUpdate before) {
        if (ENDS_WITH_THE_HOLD.contains(before.because().by())) {
            notices.ended(before.because().by(), pool::equals);
        }
        facts.append(new Fact.HoldEnded(pool, before.because(), before.since()));
    }

    /**
     * A Service left the pool: a hold lasts if others share it, and the next attempt finds out whether it still does.
     */
    void left(PoolKey pool) {
        if (pools.get(pool).wants().services().isEmpty()) {
            release(pool);
        }
    }
}
