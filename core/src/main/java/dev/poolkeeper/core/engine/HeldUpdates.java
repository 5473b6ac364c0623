package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which pools' updates were held back when they were last tried, and why. Thread-safe. */
final class HeldUpdates {

    /** What an operator did on purpose is not reported on Services. */
    private static final Set<Held.By> REPORTED =
            EnumSet.of(Held.By.SAFETY_BRAKE, Held.By.FORBIDDEN, Held.By.DRIFT, Held.By.RETRY_BUDGET);

    private final Map<PoolKey, Held> held = new ConcurrentHashMap<>();
    private final HoldNotices notices;

    HeldUpdates(HoldNotices notices) {
        this.notices = notices;
    }

    void hold(PoolKey pool, List<ServiceName> services, Held because) {
        held.put(pool, because);
        if (REPORTED.contains(because.by())) {
            notices.report(services, pool, because);
        }
    }

    /** The update goes on. */
    void letGo(PoolKey pool) {
        Held before = held.remove(pool);
        if (before != null && before.by() == Held.By.RETRY_BUDGET) {
            notices.ended(Held.By.RETRY_BUDGET, pool::equals);
        }
    }

    Optional<Held> find(PoolKey pool) {
        return Optional.ofNullable(held.get(pool));
    }
}
