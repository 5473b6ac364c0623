package dev.poolkeeper.core.freshness;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Measures how long traffic goes to the wrong place: from each change of what a pool is to hold until it holds it, and
 * how long pools miss addresses or keep stale ones.
 *
 * <ul>
 *   <li>A change is one event and one pool whose wanted addresses, those of all its adopted Services together, are
 *       others after it. The first adoption of a pool is none.
 *   <li>It ends once everything that it added is held and nothing that it removed is; one that ends at once does not
 *       count.
 *   <li>It is void once a later event takes back any address of it, or the last Service leaves the pool.
 * </ul>
 *
 * <p>Thread-safe. Costs in proportion to the pool, not to the cluster. Calls out under its own lock, to a listener that
 * must not call back.
 */
public final class Freshness {

    private final InstantSource clock;
    private final BiConsumer<PoolKey, Duration> onWritten;
    private final Map<PoolKey, PoolFreshness> pools = new HashMap<>();
    private final Map<PoolKey, AddressSet> held = new HashMap<>();

    /** The pools about which the present event said something. */
    private final Set<PoolKey> touched = new LinkedHashSet<>();

    private final AddressTime missing = new AddressTime();
    private final AddressTime stale = new AddressTime();
    private final AddressTime outage = new AddressTime();
    private boolean counts;

    /**
     * How it is at one moment.
     *
     * @param outages the pools that hold nothing of what is wanted there
     * @param oldestChange when the first of the changes came that are not written yet
     * @param outage for how long pools have held nothing of what is wanted, summed over pools
     * @param missingAddressTime for how long wanted addresses have been missing, summed over addresses
     * @param staleAddressTime for how long addresses were held that no Service wanted, summed over addresses
     */
    public record Snapshot(
            Set<PoolKey> outages,
            Optional<Instant> oldestChange,
            Duration outage,
            Duration missingAddressTime,
            Duration staleAddressTime) {}

    /**
     * @param clock tells when changes come and end
     * @param onWritten hears of each change that ended, and how long it took
     */
    public Freshness(InstantSource clock, BiConsumer<PoolKey, Duration> onWritten) {
        this.clock = clock;
        this.onWritten = onWritten;
    }

    /** Changes and times count from now on, if this process leads, or do not. What was open is void. */
    public synchronized void count(boolean now) {
        settleTimes();
        counts = now;
        pools.values().forEach(PoolFreshness::forgetChanges);
    }

    /** A Service of the pool wants these addresses now; part of an event that {@link #eventEnded} ends. */
    public synchronized void wanted(ServiceName service, PoolKey pool, AddressSet addresses) {
        pools.computeIfAbsent(pool, key -> new PoolFreshness()).wants(service, addresses);
        touched.add(pool);
    }

    /** The Service has left the pool; part of an event that {@link #eventEnded} ends. */
    public synchronized void left(ServiceName service, PoolKey pool) {
        PoolFreshness state = pools.get(pool);
        if (state != null) {
            state.leaves(service);
            touched.add(pool);
        }
    }

    /** The event is over. */
    public synchronized void eventEnded() {
        if (touched.isEmpty()) {
            return;
        }
        settleTimes();
        Instant now = clock.instant();
        for (PoolKey pool : touched) {
            PoolFreshness state = pools.get(pool);
            if (state != null) {
                state.uncount(missing, stale, outage);
                if (state.isAbandoned()) {
                    pools.remove(pool);
                } else {
                    state.eventEnded(now, held.getOrDefault(pool, AddressSet.empty()), counts);
                    state.count(missing, stale, outage);
                }
            }
        }
        touched.clear();
    }

    /** The pool was seen to hold these addresses. */
    public synchronized void holds(PoolKey pool, AddressSet addresses) {
        AddressSet before = held.put(pool, addresses);
        PoolFreshness state = pools.get(pool);
        if (state == null || addresses.equals(before)) {
            return;
        }
        settleTimes();
        state.uncount(missing, stale, outage);
        state.holds(clock.instant(), addresses, took -> onWritten.accept(pool, took));
        state.count(missing, stale, outage);
    }

    /** The pools that there are; the others are forgotten. */
    public synchronized void retain(Set<PoolKey> existing) {
        held.keySet().retainAll(existing);
    }

    private void settleTimes() {
        Instant now = clock.instant();
        missing.advance(now, counts);
        stale.advance(now, counts);
        outage.advance(now, counts);
    }

    /**
     * How it is. Costs in proportion to the pools.
     *
     * @param at now, or earlier if nothing has changed since
     */
    public synchronized Snapshot snapshot(Instant at) {
        Set<PoolKey> outages = new LinkedHashSet<>();
        pools.forEach((pool, state) -> {
            if (state.isOutage()) {
                outages.add(pool);
            }
        });
        return new Snapshot(
                outages,
                pools.values().stream()
                        .flatMap(state -> state.oldestChange().stream())
                        .min(Comparator.naturalOrder()),
                outage.total(at, counts),
                missing.total(at, counts),
                stale.total(at, counts));
    }
}
