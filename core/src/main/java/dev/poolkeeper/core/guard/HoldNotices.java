package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells Services that an update is held back: each once for a pool and reason, until that reason ended. Thread-safe.
 */
public final class HoldNotices {

    private record Notice(ServiceName service, PoolKey pool, Hold hold) {}

    private final ServiceEvents events;
    private final Set<Notice> told = new HashSet<>();

    public HoldNotices(ServiceEvents events) {
        this.events = events;
    }

    void tell(OperationGroup group, Hold hold, String message) {
        for (PendingOperation operation : group.operations()) {
            tell(operation.operation().service(), group.pool(), hold, message);
        }
    }

    /** @param message for people, one line */
    public void tell(ServiceName service, PoolKey pool, Hold hold, String message) {
        synchronized (told) {
            if (!told.add(new Notice(service, pool, hold))) {
                return;
            }
        }
        events.emit(new ServiceEvent(service, pool, ServiceEvent.Reason.HELD, message));
    }

    /** The reason ended for these pools: who is held back for it again is told again. */
    public void ended(Hold hold, Predicate<PoolKey> pools) {
        synchronized (told) {
            told.removeIf(notice -> notice.hold == hold && pools.test(notice.pool));
        }
    }

    /** The reason ended for all but these Services. */
    public void retain(Hold hold, Set<ServiceName> services) {
        synchronized (told) {
            told.removeIf(notice -> notice.hold == hold && !services.contains(notice.service));
        }
    }
}
