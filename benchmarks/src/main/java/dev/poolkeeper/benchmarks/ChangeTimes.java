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
 * Measures the time from each change of a pool's desired state to the end of the first write of that or a later state.
 * Thread-safe.
 */
final class ChangeTimes {

    private record Change(long nanoTime, AddressSet wanted) {}

    private final Map<PoolKey, List<Change>> waiting = new ConcurrentHashMap<>();
    private final List<Long> nanos = new ArrayList<>();
    private @Nullable Throwable failure;

    /** The desired addresses of a pool changed; they must never be equal to earlier ones. */
    synchronized void changed(PoolKey pool, AddressSet wanted) {
        waiting.computeIfAbsent(pool, key -> new ArrayList<>()).add(new Change(System.nanoTime(), wanted));
    }

    /** A pool was written with these addresses. */
    synchronized void written(PoolKey pool, AddressSet addresses) {
        long now = System.nanoTime();
        List<Change> changes = waiting.getOrDefault(pool, List.of());
        if (changes.stream().noneMatch(change -> change.wanted.equals(addresses))) {
            return; // an earlier state
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

    /** Records a failure; no effect if null. */
    synchronized void failed(@Nullable Throwable newFailure) {
        if (newFailure != null && failure == null) {
            failure = newFailure;
            notifyAll();
        }
    }

    /** Waits until this many changes have been written, so that slow ones are included, and resets the measurement. */
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
