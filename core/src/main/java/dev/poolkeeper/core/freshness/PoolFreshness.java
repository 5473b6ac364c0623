package dev.poolkeeper.core.freshness;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressChange;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wanted and actual addresses of one pool, and the changes that are not yet written. Guarded by {@link Freshness}.
 */
final class PoolFreshness {

    private record Change(Instant at, AddressChange of) {

        boolean isRevertedBy(Change later) {
            return of.added().intersects(later.of.removed()) || of.removed().intersects(later.of.added());
        }

        boolean isWritten(AddressSet held) {
            return of.added().common(held) == of.added().size() && !of.removed().intersects(held);
        }
    }

    final PoolKey key;

    /** What its Services want; counts from the end of the event. */
    Wants wants = Wants.NONE;

    /** Null if the pool does not exist, or was never seen. */
    @Nullable
    AddressSet held;

    /** The number of wanted addresses that it does not hold. */
    int missing;

    /** The number of addresses that it holds and that no Service wants. */
    int stale;

    /** 1 if it holds none of its wanted addresses, otherwise 0. */
    int outage;

    private final List<Change> open = new ArrayList<>(1);
    private boolean isAdopted;

    /** What the adopted Services wanted at the end of the last event. */
    private AddressSet wanted = AddressSet.empty();

    PoolFreshness(PoolKey key) {
        this.key = key;
    }

    /** Whether the pool neither exists nor is wanted. */
    boolean isForgettable() {
        return held == null && wants.isEmpty();
    }

    private AddressSet held() {
        return held == null ? AddressSet.empty() : held;
    }

    /** @param counts whether the change is measured */
    void eventEnded(Instant now, boolean counts) {
        List<Want> adopted = wants.all().stream().filter(Want::adopted).toList();
        AddressSet before = wanted;
        wanted = adopted.stream().map(Want::wanted).reduce(AddressSet.empty(), AddressSet::union);
        if (adopted.isEmpty()) {
            forgetChanges();
        } else if (isAdopted && counts) {
            changed(new Change(now, before.changeTo(wanted)));
        }
        isAdopted = !adopted.isEmpty();
        count();
    }

    private void changed(Change change) {
        if (change.of().isEmpty()) {
            return;
        }
        open.removeIf(earlier -> earlier.isRevertedBy(change));
        if (!change.isWritten(held())) {
            open.add(change);
        }
    }

    /** @param onWritten receives the duration of each change that ended */
    void holds(Instant now, AddressSet addresses, Consumer<Duration> onWritten) {
        held = addresses;
        for (Iterator<Change> each = open.iterator(); each.hasNext(); ) {
            Change change = each.next();
            if (change.isWritten(addresses)) {
                each.remove();
                Duration took = Duration.between(change.at(), now);
                if (took.isPositive()) {
                    onWritten.accept(took);
                }
            }
        }
        count();
    }

    void forgetChanges() {
        open.clear();
    }

    Optional<Instant> oldestChange() {
        return open.stream().map(Change::at).findFirst();
    }

    private void count() {
        int common = wanted.common(held());
        missing = wanted.size() - common;
        stale = isAdopted ? held().size() - held().common(wants.union()) : 0;
        outage = common == 0 && !wanted.isEmpty() ? 1 : 0;
    }
}
