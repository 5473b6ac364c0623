package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Reports held updates on Services: once per pool and cause until that cause ends. Thread-safe. */
public final class HoldNotices {

    private record Notice(ServiceName service, PoolKey pool, Held.By by) {}

    private final ServiceEvents events;
    private final Set<Notice> reported = new HashSet<>();

    public HoldNotices(ServiceEvents events) {
        this.events = events;
    }

    /** Reports the hold on each of the Services on which it is not reported yet. */
    public void report(Collection<ServiceName> services, PoolKey pool, Held held) {
        for (ServiceName service : services) {
            boolean isNew;
            synchronized (reported) {
                isNew = reported.add(new Notice(service, pool, held.by()));
            }
            if (isNew) {
                events.emit(new ServiceEvent(service, pool, ServiceEvent.Reason.HELD, held.message()));
            }
        }
    }

    /** The cause ended for these pools; if it recurs, it is reported again. */
    public void ended(Held.By by, Predicate<PoolKey> pools) {
        synchronized (reported) {
            reported.removeIf(notice -> notice.by == by && pools.test(notice.pool));
        }
    }

    /** The cause ended for all but these Services. */
    public void retain(Held.By by, Set<ServiceName> services) {
        synchronized (reported) {
            reported.removeIf(notice -> notice.by == by && !services.contains(notice.service));
        }
    }

    /** The Service is no longer local with the pool. */
    public void left(ServiceName service, PoolKey pool) {
        synchronized (reported) {
            reported.removeIf(notice -> notice.service.equals(service) && notice.pool.equals(pool));
        }
    }
}
