package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How long each change of what a pool shall hold took to be written: until the end of the first write that brought what
 * was wanted then or later. Thread-safe.
 */
final class ChangeTimes {

    private record Change(long nanoTime, AddressSet wanted) {}

    private final Map<PoolKey, List<Change>> waiting = new ConcurrentHashMap<>();
    private final List<Long> nanos = new ArrayList<>();
    private @Nullable Throwable failure;

    /** A pool shall hold other addresses from now on, never the same ones twice. */
    synchronized void changed(PoolKey pool, AddressSet wanted) {
        waiting.computeIfAbsent(pool, key -> new ArrayList<>()).add(new Change(System.nanoTime(), wanted));
    }

    /** A pool holds these addresses now. */
    synchronized void written(PoolKey pool, AddressSet addresses) {
        long now = System.nanoTime();
        List<Change> changes = waiting.getOrDefault(pool, List.of());
        if (changes.stream().noneMatch(change -> change.wanted.equals(addresses))) {
            return; // an older state
        }
        Iterator<Change> inOrder = changes.iterator();
        boolean reached = false;
        while (!reached) {
            Change change = inOrder.next();
            nanos.add(now - change.nanoTime);
            inOrder.remove();
            reached = change.wanted.equals(addresses);
        }
        notifyAll();
    }

    /** Something failed, or did not if null. */
    synchronized void failed(@Nullable Throwable newFailure) {
        if (newFailure != null && failure == null) {
            failure = newFailure;
            notifyAll();
        }
    }

    /** Waits for so many changes to be written, so that none is left out that took long, and forgets them. */
    synchronized long[] await(int changes) throws InterruptedException {
        while (nanos.size() < changes && failure == null) {
            wait();
        }
        if (failure != null) {
            throw new IllegalStateException("a call failed, which none may here", failure);
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        nanos.clear();
        return sorted;
    }
}
