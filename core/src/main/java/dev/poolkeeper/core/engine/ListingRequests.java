package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The listings that Services ask for. Each Service and each namespace may ask for a few in a burst, then for one at a
 * time: a Service that changes in a loop, or ever new ones, cannot make a listing every second. Requests that come
 * together are answered by one listing. Not thread-safe.
 */
final class ListingRequests {

    private static final Limit SERVICE = new Limit(4, Duration.ofSeconds(30));
    private static final Limit NAMESPACE = new Limit(20, Duration.ofSeconds(10));

    /** When each Service or namespace will have its whole burst again; none for those that have it. */
    private final Map<Object, Instant> restored = new HashMap<>();

    private final Set<ServiceName> asking = new HashSet<>();
    private Instant due = Instant.MAX;

    /**
     * @param burst how many listings may follow each other directly
     * @param refill the time between further ones
     */
    private record Limit(int burst, Duration refill) {

        Instant earliest(Instant wholeAgain) {
            return wholeAgain.minus(refill.multipliedBy(burst - 1L));
        }
    }

    void ask(ServiceName service, Instant now) {
        asking.add(service);
        Instant earliest = earliest(service, now);
        due = earliest.isBefore(due) ? earliest : due;
    }

    /** When the next listing is due for a Service that asked; may be in the past. */
    Instant due() {
        return due;
    }

    /** A listing begins, which answers everybody; it counts for those who could ask for it now. */
    void begins(Instant now) {
        restored.values().removeIf(at -> !at.isAfter(now));
        take(asking, now);
        asking.clear();
        due = Instant.MAX;
    }

    /** Counts a listing for each of these Services that may ask for one now; false if none may. */
    boolean take(Collection<ServiceName> services, Instant now) {
        Set<Object> counted = new HashSet<>();
        for (ServiceName service : services) {
            if (!earliest(service, now).isAfter(now)) {
                counted.add(service);
                counted.add(service.namespace());
            }
        }
        counted.forEach(one -> restored.merge(
                one,
                now.plus(limit(one).refill()),
                (before, first) -> before.plus(limit(one).refill())));
        return !counted.isEmpty();
    }

    private Instant earliest(ServiceName service, Instant now) {
        Instant its = SERVICE.earliest(restored.getOrDefault(service, now));
        Instant namespaces = NAMESPACE.earliest(restored.getOrDefault(service.namespace(), now));
        Instant later = its.isAfter(namespaces) ? its : namespaces;
        return later.isAfter(now) ? later : now;
    }

    private static Limit limit(Object one) {
        return one instanceof ServiceName ? SERVICE : NAMESPACE;
    }
}
