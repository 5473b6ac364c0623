package dev.poolkeeper.core.cluster;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The waits of local Services for missing nodes, in the order in which they end. They end only while the watch of Nodes
 * is in step, which it has to show by a sign of life after they began. Guarded by the index's lock.
 */
final class Waits {

    private static final Comparator<LocalPool> IN_ORDER = Comparator.comparing((LocalPool local) -> local.waitsSince)
            .thenComparing(local -> local.service.name)
            .thenComparing(local -> local.family);

    private final TreeSet<LocalPool> waiting = new TreeSet<>(IN_ORDER);
    private boolean inStep = true;

    /** {@link Instant#MAX} while no one tells whether Nodes are in step. */
    private Instant lastSign = Instant.MAX;

    /** Takes the state of a pool's missing nodes. Returns whether the next end came closer. */
    boolean update(LocalPool local) {
        Instant since = local.missingSince();
        if (since.equals(local.waitsSince)) {
            return false;
        }
        remove(local);
        if (since.equals(Instant.MAX)) {
            return false;
        }
        local.waitsSince = since;
        waiting.add(local);
        return waiting.first() == local;
    }

    void remove(LocalPool local) {
        waiting.remove(local);
        local.waitsSince = Instant.MAX;
    }

    /** When the next wait ends; empty if none will before the watch of Nodes gives a sign. */
    Optional<Instant> nextEnd() {
        return waiting.isEmpty() || !inStep || lastSign.isBefore(waiting.first().waitsSince)
                ? Optional.empty()
                : Optional.of(waiting.first().waitsSince.plus(LocalPool.MAX_WAIT));
    }

    /** The first pool whose wait is over; null for none. */
    @Nullable
    LocalPool firstOver(Instant now) {
        return nextEnd().filter(end -> !end.isAfter(now)).isPresent() ? waiting.first() : null;
    }

    /** The watch of Nodes gave a sign of life. After a break all waits start again. */
    void inStep(Instant now) {
        if (!inStep) {
            restart(now);
        }
        inStep = true;
        lastSign = now;
    }

    void outOfStep() {
        inStep = false;
    }

    private void restart(Instant now) {
        List<LocalPool> all = List.copyOf(waiting);
        waiting.clear();
        for (LocalPool local : all) {
            local.restart(now);
            local.waitsSince = now;
        }
        waiting.addAll(all);
    }
}
