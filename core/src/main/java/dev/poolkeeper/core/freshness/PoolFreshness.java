package dev.poolkeeper.core.freshness;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How one pool differs from what its adopted Services want, and the changes that are not yet written. Immutable.
 *
 * @param isAdopted whether it had an adopted Service at the end of the last event
 * @param wanted what the adopted Services wanted then
 * @param missing the number of wanted addresses that it does not hold
 * @param stale the number of addresses that it holds and that no Service wants
 * @param open the changes that are not yet written, in the order of their events
 */
public record PoolFreshness(boolean isAdopted, AddressSet wanted, int missing, int stale, List<Change> open) {

    /** Of a pool without adopted Services. */
    public static final PoolFreshness NONE = new PoolFreshness(false, AddressSet.empty(), 0, 0, List.of());

    /** An event changed what is wanted in the pool. */
    public record Change(Instant at, AddressSet before, AddressSet after) {

        /** Whether these contain all that it added and nothing that it removed. */
        boolean isIn(AddressSet addresses) {
            return before.isChangeIn(after, addresses);
        }
    }

    /** Whether it holds none of its wanted addresses, of which there are some. */
    public boolean isOutage() {
        return missing > 0 && missing == wanted.size();
    }

    /**
     * After an event.
     *
     * @param wants what its Services want from now on
     * @param held what it holds
     * @param counts whether the change is measured
     */
    PoolFreshness eventEnded(Wants wants, AddressSet held, Instant now, boolean counts) {
        AddressSet next = AddressSet.empty();
        boolean isAnyAdopted = false;
        for (Want want : wants.all()) {
            next = want.adopted() ? next.union(want.wanted()) : next;
            isAnyAdopted |= want.adopted();
        }
        return isAnyAdopted ? of(next, wants, held, openAfter(next, held, now, isAdopted && counts)) : NONE;
    }

    private List<Change> openAfter(AddressSet next, AddressSet held, Instant now, boolean counts) {
        List<Change> changes = new ArrayList<>(open);
        changes.removeIf(earlier -> !earlier.isIn(next));
        if (counts) {
            Change change = new Change(now, wanted, next);
            if (!change.isIn(held)) {
                changes.add(change);
            }
        }
        return List.copyOf(changes);
    }

    /**
     * After a listing, read or write.
     *
     * @param wants what its Services want, from the end of this event on
     * @param held what it holds from now on
     */
    public PoolFreshness holding(AddressSet held, Wants wants) {
        return isAdopted
                ? of(
                        wanted,
                        wants,
                        held,
                        open.stream().filter(it -> !it.isIn(held)).toList())
                : this;
    }

    /** With none of its open changes, which are void. */
    public PoolFreshness withoutChanges() {
        return open.isEmpty() ? this : new PoolFreshness(isAdopted, wanted, missing, stale, List.of());
    }

    private static PoolFreshness of(AddressSet wanted, Wants wants, AddressSet held, List<Change> open) {
        return new PoolFreshness(
                true, wanted, wanted.size() - wanted.common(held), held.size() - held.common(wants.union()), open);
    }
}
