package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.HeldUpdate;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The decisions that the update of a pool is held, and no longer. */
final class Holds {

    /** Holds that an operator requested are not reported on Services, unless others share the pool. */
    private static final Set<HoldCause.By> REPORTED = EnumSet.of(
            HoldCause.By.SAFETY_BRAKE, HoldCause.By.FORBIDDEN, HoldCause.By.DRIFT, HoldCause.By.RETRY_BUDGET);

    private Holds() {}

    /**
     * A hold whose cause ended, and began again before the update was tried, begins anew.
     *
     * @param held the Services whose update is held; those that have left the pool are not
     */
    static Decision hold(Pool pool, List<ServiceName> held, HoldCause because, Instant now) {
        List<ServiceName> services =
                held.stream().filter(pool.wants().services()::contains).toList();
        if (services.isEmpty()) {
            return Decision.of(pool);
        }
        boolean isNew =
                pool.hold().filter(last -> last.because().by() == because.by()).isEmpty();
        boolean hasEnded = REPORTED.contains(because.by())
                && pool.reported().stream().noneMatch(report -> report.by() == because.by());
        Decision decision = Decision.of((hasEnded ? pool.notHeld() : pool).held(because, now));
        Set<ServiceName> sharing = new LinkedHashSet<>(pool.wants().services()); // what waits may be any one's next
        if (REPORTED.contains(because.by())) {
            decision = decision.then(it -> report(it, sharing, because));
        } else if (because.by() == HoldCause.By.SERVICE_PAUSE && sharing.size() > 1) {
            decision = decision.then(it -> report(it, sharing, because));
        }
        return isNew ? decision.saying(new Fact.HoldBegan(pool.key(), services, because)) : decision;
    }

    /** Once for each of these Services, until the cause ends. */
    static Decision report(Pool pool, Set<ServiceName> services, HoldCause because) {
        Decision decision = Decision.of(pool);
        for (ServiceName service : services) {
            Pool.Report report = new Pool.Report(service, because.by());
            if (!pool.reported().contains(report)) {
                decision = decision.with(it -> it.withReported(report))
                        .saying(new Fact.HoldReported(pool.key(), service, because));
            }
        }
        return decision;
    }

    /** The update is no longer held. */
    static Decision release(Pool pool) {
        Optional<HeldUpdate> before = pool.hold();
        if (before.isEmpty()) {
            return Decision.of(pool);
        }
        return Decision.of(pool.released())
                .saying(new Fact.HoldEnded(
                        pool.key(), before.get().because(), before.get().since()));
    }
}
