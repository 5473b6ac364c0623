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

/**
 * The addresses that writes removed from and added to pools within a window of time that ends now. Guarded by the
 * brake.
 */
final class RecentWrites {

    private record Write(Instant at, PoolKey pool, AddressSet removed, AddressSet letThrough, AddressSet added) {}

    private final Duration window;
    private final Deque<Write> writes = new ArrayDeque<>();

    RecentWrites(Duration window) {
        this.window = window;
    }

    /**
     * @param removed removed addresses that the brake did not hold
     * @param letThrough removed addresses that the brake had held and let through
     */
    void add(Instant now, PoolKey pool, AddressSet removed, AddressSet letThrough, AddressSet added) {
        writes.add(new Write(now, pool, removed, letThrough, added));
    }

    /** Call this before any of the queries below. */
    void forgetOld(Instant now) {
        Instant begin = now.minus(window);
        while (!writes.isEmpty() && !writes.peek().at().isAfter(begin)) {
            writes.remove();
        }
    }

    /** The number of addresses removed without having been held, except those that are to be removed again. */
    long removedExcept(PoolAddresses toBeRemoved) {
        PoolAddresses removed = new PoolAddresses();
        writes.forEach(write -> removed.add(write.pool(), write.removed()));
        removed.removeAll(toBeRemoved);
        return removed.size();
    }

    /**
     * How many more addresses all pools held when the window began than they hold now.
     *
     * @param toBeRemoved addresses to be removed, including those that the pools hold again although they were removed
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

    /** The number of distinct pools among these and those from which addresses were removed. */
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
