package dev.poolkeeper.core.cluster;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pools that wait for missing nodes, in the order in which their waits end. They end only while the watch of Nodes
 * is in step, which it has to show by a sign of life after they began. Guarded by the index's lock.
 */
final class Waits {

    private static final Comparator<PoolEntry> IN_ORDER = Comparator.comparing((PoolEntry pool) -> pool.waitsSince)
            .thenComparing(pool -> pool.service.name)
            .thenComparing(pool -> pool.family);

    private final TreeSet<PoolEntry> waiting = new TreeSet<>(IN_ORDER);

    /** {@link Instant#MAX} while no one tells whether Nodes are in step, {@link Instant#MIN} while they are not. */
    private Instant lastSign = Instant.MAX;

    /** Takes the state of a pool's missing nodes. Returns whether the next end came closer. */
    boolean update(PoolEntry pool) {
        waiting.remove(pool);
        pool.waitsSince = pool.missingSince();
        return pool.waitsSince.isBefore(Instant.MAX)
                && waiting.add(pool)
                && waiting.first().equals(pool);
    }

    /** When the next wait ends; empty if none will before the watch of Nodes gives a sign. */
    Optional<Instant> nextEnd() {
        return waiting.isEmpty() || lastSign.isBefore(waiting.first().waitsSince)
                ? Optional.empty()
                : Optional.of(waiting.first().waitsSince.plus(PoolEntry.MAX_WAIT));
    }

    /** The first pool whose wait is over; null for none. */
    @Nullable
    PoolEntry firstOver(Instant now) {
        return nextEnd().filter(end -> !end.isAfter(now)).isPresent() ? waiting.first() : null;
    }

    /** The watch of Nodes gave a sign of life. After a break all waits start again. */
    void inStep(Instant now) {
        if (lastSign.equals(Instant.MIN)) {
            for (PoolEntry pool : List.copyOf(waiting)) {
                pool.restart(now);
                update(pool);
            }
        }
        lastSign = now;
    }

    void outOfStep() {
        lastSign = Instant.MIN;
    }
}
