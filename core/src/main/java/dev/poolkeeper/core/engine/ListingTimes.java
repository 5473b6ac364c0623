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
 * a local Service is missing or not found, or listings fail; immediately on request; and for Services that changed,
 * within the limits of {@link ListingRequests}. Not thread-safe.
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

    /** When the next one is due because a pool was not found since the last one began. */
    private Instant dueAgain = Instant.MAX;

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

    /**
     * A call for the pool of these Services was answered with 404. A listing that is due soon for other such pools
     * answers this one, too, and counts once. No effect if load balancers are listed on request only.
     */
    void notFound(Collection<ServiceName> services, Instant now) {
        boolean isDueSoon = !dueAgain.isAfter(now.plus(waits.before(1)));
        if (isRegular() && !isDueSoon && !lacking.containsAll(services)) {
            restart(services, now);
            lackingListings = Math.max(1, lackingListings);
            lacking = union(lacking, services);
            dueAgain = earlier(dueAgain, now.plus(lackingWait()));
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
        return earlier(wanted, earlier(due, dueAgain));
    }

    void begins(Instant now) {
        lastBegun = now;
        asked = false;
        dueAgain = Instant.MAX;
        requests.begins(now);
    }

    void failed(Instant now) {
        asked = true;
        due = now.plus(waits.before(++failures));
    }

    /** @param withoutPool the local Services whose pool was not found */
    void succeeded(Instant now, Collection<ServiceName> withoutPool) {
        failures = 0;
        Duration wait = regular;
        if (!withoutPool.isEmpty()) {
            restart(withoutPool, now);
            lackingListings++;
            wait = lackingWait();
        }
        lacking = Set.copyOf(withoutPool);
        due = isRegular() ? now.plus(wait) : Instant.MAX;
    }

    /** The waits begin with the shortest if a pool of one of these Services was not missing before. */
    private void restart(Collection<ServiceName> withoutPool, Instant now) {
        Set<ServiceName> newly = new HashSet<>(withoutPool);
        newly.removeAll(lacking);
        if (requests.take(newly, now)) {
            lackingListings = 0;
        }
    }

    private Duration lackingWait() {
        return min(regular, waits.before(lackingListings));
    }

    private static Set<ServiceName> union(Set<ServiceName> some, Collection<ServiceName> others) {
        Set<ServiceName> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
