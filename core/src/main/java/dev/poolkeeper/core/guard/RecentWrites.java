package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.stream.Collectors;

/** What writes removed from pools, and added, within a window of time that ends now. Guarded by the brake. */
final class RecentWrites {

    private record Write(Instant at, PoolKey pool, AddressSet removed, int letThrough, int added) {}

    private final Duration window;
    private final Deque<Write> writes = new ArrayDeque<>();

    RecentWrites(Duration window) {
        this.window = window;
    }

    /**
     * @param removed what was removed because the brake did not hold it
     * @param letThrough how many addresses were removed that it had held and let through
     * @param added how many addresses were added
     */
    void add(Instant now, PoolKey pool, AddressSet removed, int letThrough, int added) {
        writes.add(new Write(now, pool, removed, letThrough, added));
    }

    /** To be called before any of the questions below. */
    void forgetOld(Instant now) {
        Instant begin = now.minus(window);
        while (!writes.isEmpty() && !writes.peek().at().isAfter(begin)) {
            writes.remove();
        }
    }

    /** What was removed without having been held; without what is to be removed again. */
    long removedExcept(PoolAddresses toBeRemoved) {
        PoolAddresses removed = new PoolAddresses();
        writes.forEach(write -> removed.add(write.pool(), write.removed()));
        removed.removeAll(toBeRemoved);
        return removed.size();
    }

    /** How many addresses were added, less those that were let through. */
    long addedLessLetThrough() {
        return writes.stream()
                .mapToLong(write -> write.added() - write.letThrough())
                .sum();
    }

    /** How many of these pools and those from which something was removed there are. */
    long countWith(Collection<PoolKey> pools) {
        Set<PoolKey> all = writes.stream()
                .filter(write -> !write.removed().isEmpty() || write.letThrough() > 0)
                .map(Write::pool)
                .collect(Collectors.toSet());
        all.addAll(pools);
        return all.size();
    }
}
