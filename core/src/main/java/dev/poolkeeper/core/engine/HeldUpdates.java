package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The pools whose update was held at the last attempt, and why. Thread-safe. */
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

    private final Map<PoolKey, HeldUpdate> held = new ConcurrentHashMap<>();
    private final HoldNotices notices;
    private final Function<PoolKey, List<ServiceName>> sharing;
    private final InstantSource clock;

    /** @param sharing the local Services that share a pool */
    HeldUpdates(HoldNotices notices, Function<PoolKey, List<ServiceName>> sharing, InstantSource clock) {
        this.notices = notices;
        this.sharing = sharing;
        this.clock = clock;
    }

    void hold(PoolKey pool, List<ServiceName> services, Held because) {
        HeldUpdate before = held.get(pool);
        boolean isNew = before == null || before.because().by() != because.by();
        held.put(pool, new HeldUpdate(because, before == null || isNew ? clock.instant() : before.since()));
        if (REPORTED.contains(because.by())) {
            notices.report(services, pool, because);
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

    private void reportToSharing(PoolKey pool, Held because) {
        List<ServiceName> all = sharing.apply(pool);
        if (all.size() > 1) {
            String text = because.text() + " It shares this pool: its changes wait, and what it wanted before stays.";
            notices.report(all, pool, new Held(because.by(), because.until(), text, because.remedy()));
        }
    }

    /** The update is no longer held. */
    void release(PoolKey pool) {
        HeldUpdate before = held.remove(pool);
        if (before == null) {
            return;
        }
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
        if (sharing.apply(pool).isEmpty()) {
            release(pool);
        }
    }

    private static LoggingEventBuilder line(PoolKey pool, Held because) {
        return log.atLevel(LOGGED.contains(because.by()) ? Level.INFO : Level.DEBUG)
                .addKeyValue("loadBalancer", pool.loadBalancer())
                .addKeyValue("pool", pool.pool());
    }

    Optional<HeldUpdate> find(PoolKey pool) {
        return Optional.ofNullable(held.get(pool));
    }
}
