package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Reports and logs that the updates of pools are held, and no longer. Thread-safe. */
final class HeldUpdates {

    private static final Logger log = LoggerFactory.getLogger(HeldUpdates.class);

    /** Holds that an operator requested are not reported on Services, unless others share the pool. */
    private static final Set<Held.By> REPORTED =
            EnumSet.of(Held.By.SAFETY_BRAKE, Held.By.FORBIDDEN, Held.By.DRIFT, Held.By.RETRY_BUDGET);

    /** Causes whose end no guard reports. */
    private static final Set<Held.By> ENDS_WITH_THE_HOLD = EnumSet.of(Held.By.SERVICE_PAUSE, Held.By.RETRY_BUDGET);

    /** Holds of a single pool that no guard logs. */
    private static final Set<Held.By> LOGGED =
            EnumSet.of(Held.By.SERVICE_PAUSE, Held.By.SHARED_POOL, Held.By.RETRY_BUDGET);

    private final HoldNotices notices;
    private final Pools pools;
    private final InstantSource clock;

    HeldUpdates(HoldNotices notices, Pools pools, InstantSource clock) {
        this.notices = notices;
        this.pools = pools;
        this.clock = clock;
    }

    void hold(PoolKey pool, List<ServiceName> services, Held because) {
        Optional<HeldUpdate> before = pools.hold(pool, because, clock.instant());
        boolean isNew =
                before.filter(last -> last.because().by() == because.by()).isEmpty();
        if (REPORTED.contains(because.by())) {
            notices.report(allOf(pool, services), pool, because);
        } else if (because.by() == Held.By.SERVICE_PAUSE) {
            reportToSharing(pool, because);
        }
        if (isNew) {
            line(pool, because)
                    .addKeyValue("services", services)
                    .addKeyValue("reason", because.text())
                    .log("Backend pool update held back");
        }
    }

    /** Those that share the pool, and those whose update is held: what waits may be any one's next. */
    private List<ServiceName> allOf(PoolKey pool, List<ServiceName> services) {
        return Stream.concat(pools.wants(pool).services().stream(), services.stream())
                .distinct()
                .toList();
    }

    private void reportToSharing(PoolKey pool, Held because) {
        List<ServiceName> all = pools.wants(pool).services();
        if (all.size() > 1) {
            String text = because.text() + " It shares this pool: its changes wait, and what it wanted before stays.";
            notices.report(all, pool, new Held(because.by(), because.until(), text, because.remedy()));
        }
    }

    /** The update is no longer held. */
    void release(PoolKey pool) {
        pools.release(pool).ifPresent(before -> released(pool, before));
    }

    private void released(PoolKey pool, HeldUpdate before) {
        if (ENDS_WITH_THE_HOLD.contains(before.because().by())) {
            notices.ended(before.because().by(), pool::equals);
        }
        line(pool, before.because())
                .addKeyValue("heldSince", before.since())
                .log("Backend pool update no longer held back");
    }

    /**
     * A Service left the pool: a hold lasts if others share it, and the next attempt finds out whether it still does.
     */
    void left(PoolKey pool) {
        if (pools.wants(pool).services().isEmpty()) {
            release(pool);
        }
    }

    private static LoggingEventBuilder line(PoolKey pool, Held because) {
        return log.atLevel(LOGGED.contains(because.by()) ? Level.INFO : Level.DEBUG)
                .addKeyValue("loadBalancer", pool.loadBalancer())
                .addKeyValue("pool", pool.pool());
    }
}
