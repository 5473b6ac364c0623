package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/** Reports held updates on Services: once per pool and cause until that cause ends. Thread-safe. */
public final class HoldNotices {

    private final ServiceEvents events;
    private final Pools pools;

    public HoldNotices(ServiceEvents events, Pools pools) {
        this.events = events;
        this.pools = pools;
    }

    /** Reports the hold on each of the Services on which it is not reported yet. */
    public void report(Collection<ServiceName> services, PoolKey pool, Held held) {
        for (ServiceName service : services) {
            if (pools.setReported(service, pool, held.by())) {
                events.emit(new ServiceEvent(
                        service, pool, ServiceEvent.Reason.HELD, held.message(), held.message(), held.cause()));
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
