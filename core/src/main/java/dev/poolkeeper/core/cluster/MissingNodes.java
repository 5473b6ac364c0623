package dev.poolkeeper.core.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes that a local Service's slices of one family name and that the API server never reported. All Nodes are
 * synced before anything is written, so a node that stays missing for {@link #LONGEST} does not exist: its endpoint
 * belongs to another cluster, or to an orphaned Pod. Guarded by the index's lock.
 */
final class MissingNodes {

    static final Duration LONGEST = Duration.ofSeconds(60);

    /** Has been missing for long enough. */
    private static final Instant GIVEN_UP = Instant.MIN;

    private Map<NodeEntry, Instant> since = Map.of();

    /** Takes the missing nodes that are named now. Those named before keep their time. */
    void update(List<NodeEntry> missing, Instant now) {
        if (missing.isEmpty()) {
            since = Map.of();
            return;
        }
        Map<NodeEntry, Instant> named = new HashMap<>();
        missing.forEach(node -> named.put(node, since.getOrDefault(node, now)));
        since = named;
    }

    /** Whether none is waited for: there are none, or all were given up. */
    boolean isOver() {
        return since.values().stream().allMatch(GIVEN_UP::equals);
    }

    /** Since when the one that is waited for longest has been missing; empty if none is waited for. */
    Optional<Instant> earliest() {
        return since.values().stream().filter(start -> !start.equals(GIVEN_UP)).min(Comparator.naturalOrder());
    }

    /** Gives up those that have been missing since this time or longer. */
    void giveUp(Instant start) {
        since.replaceAll((node, its) -> its.isAfter(start) ? its : GIVEN_UP);
    }

    /** The time of those that are waited for starts again. */
    void restart(Instant now) {
        since.replaceAll((node, its) -> its.equals(GIVEN_UP) ? its : now);
    }
}
