package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reports held updates on Services: once per pool and cause until that cause ends. Thread-safe. */
public final class HoldNotices {

    private final Consumer<Fact> facts;
    private final Pools pools;

    /** @param facts receives each report; quick, since a lock may be held */
    public HoldNotices(Consumer<Fact> facts, Pools pools) {
        this.facts = facts;
        this.pools = pools;
    }

    /** Reports the hold on each of the Services on which it is not reported yet. */
    public void report(Collection<ServiceName> services, PoolKey pool, Held held) {
        for (ServiceName service : services) {
            if (pools.setReported(service, pool, held.by())) {
                facts.accept(new Fact.HoldReported(pool, service, held));
            }
        }
    }

    /** The cause ended for these pools; if it recurs, it is reported again. */
    public void ended(Held.By by, Predicate<PoolKey> those) {
        pools.clearReported(by, those, service -> true);
    }

    /** The cause ended for all but these Services. */
    public void retain(Held.By by, Set<ServiceName> services) {
        pools.clearReported(by, pool -> true, service -> !services.contains(service));
    }
}
