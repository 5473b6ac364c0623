package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Reports on Services that an update is held back: once for a pool and cause, until that cause ended. Thread-safe. */
public final class HoldNotices {

    private record Notice(ServiceName service, PoolKey pool, Held.By by) {}

    private final ServiceEvents events;
    private final Set<Notice> reported = new HashSet<>();

    public HoldNotices(ServiceEvents events) {
        this.events = events;
    }

    /** Reports on each of the Services that it does not yet know. */
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

    /** The cause ended for these pools: it is reported again when it begins again. */
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

    /** The Service is not local with the pool any more. */
    public void left(ServiceName service, PoolKey pool) {
        synchronized (reported) {
            reported.removeIf(notice -> notice.service.equals(service) && notice.pool.equals(pool));
        }
    }
}
