package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Schedules the listings of load balancers: at a regular interval; sooner, with exponential backoff, while the pool of
 * a local Service is missing or listings fail; immediately on request; and for Services that changed, within the limits
 * of {@link ListingRequests}. Not thread-safe.
 */
final class ListingTimes {

    /** The shortest time between the starts of two listings, however often one is requested. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    private final Duration regular;
    private final Backoff waits;
    private final ListingRequests requests = new ListingRequests();
    private Instant due = Instant.MIN;
    private Instant lastBegun = Instant.MIN;
    private boolean asked;
    private int failures;
    private int lackingListings;
    private Set<ServiceName> lacking = Set.of();

    /** @param regular between listings; zero for only on request */
    ListingTimes(Duration regular, Backoff waits) {
        this.regular = regular;
        this.waits = waits;
    }

    /** Requests the next listing as soon as possible; while listings fail, the backoff still applies. */
    void ask() {
        asked = true;
    }

    /** Requests a listing for a Service that changed. No effect if load balancers are listed on request only. */
    void ask(ServiceName service, Instant now) {
        if (isRegular()) {
            requests.ask(service, now);
        }
    }

    private boolean isRegular() {
        return !regular.isZero();
    }

    Instant next() {
        if (failures > 0) {
            return due;
        }
        Instant soonest = lastBegun.equals(Instant.MIN) ? lastBegun : lastBegun.plus(MIN_INTERVAL);
        Instant wanted = asked || requests.due().isBefore(soonest) ? soonest : requests.due();
        return wanted.isBefore(due) ? wanted : due;
    }

    void begins(Instant now) {
        lastBegun = now;
        asked = false;
        requests.begins(now);
    }

    void failed(Instant now) {
        asked = true;
        due = now.plus(waits.before(++failures));
    }

    /** @param withoutPool the local Services whose pool was not found */
    void succeeded(Instant now, Collection<ServiceName> withoutPool) {
        failures = 0;
        Set<ServiceName> newly = new HashSet<>(withoutPool);
        newly.removeAll(lacking);
        if (requests.take(newly, now)) {
            lackingListings = 0;
        }
        lacking = new HashSet<>(withoutPool);
        Duration wait = lacking.isEmpty() ? regular : min(regular, waits.before(++lackingListings));
        due = isRegular() ? now.plus(wait) : Instant.MAX;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
