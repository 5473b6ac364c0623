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

    private record Write(Instant at, PoolKey pool, AddressSet removed, AddressSet letThrough, AddressSet added) {}

    private final Duration window;
    private final Deque<Write> writes = new ArrayDeque<>();

    RecentWrites(Duration window) {
        this.window = window;
    }

    /**
     * @param removed what was removed because the brake did not hold it
     * @param letThrough what was removed that the brake had held and let through
     */
    void add(Instant now, PoolKey pool, AddressSet removed, AddressSet letThrough, AddressSet added) {
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

    /**
     * How many addresses more all pools held when the window began than they hold now.
     *
     * @param toBeRemoved what they hold again although it was removed, among others
     */
    long netRemovedExcept(PoolAddresses toBeRemoved) {
        PoolAddresses gone = new PoolAddresses();
        PoolAddresses come = new PoolAddresses();
        for (Write write : writes) {
            PoolKey pool = write.pool();
            AddressSet removed = write.removed().union(write.letThrough());
            gone.add(pool, removed.minus(come.of(pool)));
            come.remove(pool, removed);
            come.add(pool, write.added().minus(gone.of(pool)));
            gone.remove(pool, write.added());
        }
        gone.removeAll(toBeRemoved);
        return gone.size() - come.size();
    }

    /** How many of these pools and those from which something was removed there are. */
    long countWith(Collection<PoolKey> pools) {
        Set<PoolKey> all = writes.stream()
                .filter(write ->
                        !write.removed().isEmpty() || !write.letThrough().isEmpty())
                .map(Write::pool)
                .collect(Collectors.toSet());
        all.addAll(pools);
        return all.size();
    }
}
