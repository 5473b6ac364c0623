package dev.poolkeeper.core.freshness;

import dev.poolkeeper.ports.AddressChange;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The wanted and actual addresses of one pool, and the changes that are not yet written. Guarded by {@link Freshness}.
 */
final class PoolFreshness {

    private record Change(Instant at, AddressChange addresses) {

        boolean isRevertedBy(AddressChange later) {
            return addresses.added().common(later.removed()) > 0
                    || addresses.removed().common(later.added()) > 0;
        }

        boolean isWritten(AddressSet held) {
            return addresses.added().common(held) == addresses.added().size()
                    && addresses.removed().common(held) == 0;
        }
    }

    private final Map<ServiceName, AddressSet> byService = new LinkedHashMap<>(2);
    /** What Services want that were not adopted yet. */
    private final Map<ServiceName, AddressSet> growing = new HashMap<>(2);

    private final List<Change> open = new ArrayList<>(1);
    private boolean isAdopted;
    private AddressSet wanted = AddressSet.empty();
    private AddressSet held = AddressSet.empty();

    /** As last counted. */
    private int missing;

    private int stale;
    private int outage;

    void grows(ServiceName service, AddressSet addresses) {
        growing.put(service, addresses);
    }

    void wants(ServiceName service, AddressSet addresses) {
        growing.remove(service);
        byService.put(service, addresses);
    }

    void leaves(ServiceName service) {
        growing.remove(service);
        byService.remove(service);
    }

    boolean isAbandoned() {
        return isUnadopted() && growing.isEmpty();
    }

    boolean isUnadopted() {
        return byService.isEmpty();
    }

    /** The last adopted Service has left. */
    void forget() {
        isAdopted = false;
        open.clear();
        wanted = AddressSet.empty();
        missing = 0;
        stale = 0;
        outage = 0;
    }

    /** @param counts whether the change is measured */
    void eventEnded(Instant now, AddressSet holds, boolean counts) {
        held = holds;
        AddressSet before = wanted;
        wanted = AddressSet.empty();
        for (AddressSet one : byService.values()) {
            wanted = wanted.union(one);
        }
        if (isAdopted && counts) {
            changed(now, AddressChange.between(before, wanted));
        }
        isAdopted = true;
    }

    private void changed(Instant now, AddressChange addresses) {
        if (addresses.isEmpty()) {
            return;
        }
        open.removeIf(earlier -> earlier.isRevertedBy(addresses));
        Change change = new Change(now, addresses);
        if (!change.isWritten(held)) {
            open.add(change);
        }
    }

    /** @param onWritten receives the duration of each change that ended */
    void holds(Instant now, AddressSet addresses, Consumer<Duration> onWritten) {
        held = addresses;
        for (Iterator<Change> changes = open.iterator(); changes.hasNext(); ) {
            Change change = changes.next();
            if (change.isWritten(held)) {
                changes.remove();
                Duration took = Duration.between(change.at(), now);
                if (took.isPositive()) {
                    onWritten.accept(took);
                }
            }
        }
    }

    void forgetChanges() {
        open.clear();
    }

    boolean isOutage() {
        return outage > 0;
    }

    Optional<Instant> oldestChange() {
        return open.stream().map(Change::at).findFirst();
    }

    /** Adds this pool to the totals. */
    void count(AddressTime missingTime, AddressTime staleTime, AddressTime outageTime) {
        if (isAdopted) {
            int common = wanted.common(held);
            missing = wanted.size() - common;
            stale = held.size() - held.common(wantedByAny());
            outage = common == 0 && !wanted.isEmpty() ? 1 : 0;
        }
        missingTime.add(missing);
        staleTime.add(stale);
        outageTime.add(outage);
    }

    private AddressSet wantedByAny() {
        AddressSet all = wanted;
        for (AddressSet one : growing.values()) {
            all = all.union(one);
        }
        return all;
    }

    /** Removes this pool from the totals; call this before any change. */
    void uncount(AddressTime missingTime, AddressTime staleTime, AddressTime outageTime) {
        missingTime.add(-missing);
        staleTime.add(-stale);
        outageTime.add(-outage);
    }
}
