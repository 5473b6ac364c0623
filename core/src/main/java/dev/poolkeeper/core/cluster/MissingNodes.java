package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The nodes that a Service's slices name in one family and that the API server never reported: since when each has been
 * missing, and which were given up. A tenant may name any number of them, so neither the end of a wait nor an event
 * costs more for those that it does not touch than to be marked. Guarded by the index's lock.
 */
final class MissingNodes {

    private final Map<NodeEntry, Instant> since = new HashMap<>();

    /** How many have been missing since when, without those that were given up. */
    private final TreeMap<Instant, Integer> awaited = new TreeMap<>();

    /** Those that have been missing since then or longer were given up. */
    private Instant givenUp = Instant.MIN;

    /**
     * Takes what the slices name. Nodes that were missing before keep their time.
     *
     * @param touched the nodes that became named or seen, or are perhaps no longer named, since the last look
     * @param look has marked the nodes that slices of this family name
     */
    void look(Collection<NodeEntry> touched, Look look, IpFamily family, Instant now) {
        for (NodeEntry node : touched) {
            boolean isMissing = !node.isSeen() && node.isMarkedBy(look, family);
            if (!isMissing && since.isEmpty()) {
                continue; // nearly always
            }
            Instant before = isMissing ? since.putIfAbsent(node, now) : since.remove(node);
            if (isMissing && before == null) {
                count(now, 1);
            } else if (!isMissing && before != null) {
                count(before, -1);
            }
        }
    }

    private void count(Instant at, int more) {
        if (at.isAfter(givenUp)) {
            awaited.merge(at, more, (before, change) -> before + change == 0 ? null : before + change);
        }
    }

    /** Since when the node that is awaited longest has been missing; {@link Instant#MAX} if none is awaited. */
    Instant first() {
        return awaited.isEmpty() ? Instant.MAX : awaited.firstKey();
    }

    /** Gives up the nodes that have been missing since this time or longer. */
    void giveUp(Instant until) {
        givenUp = until;
        awaited.headMap(until, true).clear();
    }

    /** The time of the nodes that are awaited starts again. */
    void restart(Instant now) {
        awaited.clear();
        since.replaceAll((node, its) -> {
            boolean isAwaited = its.isAfter(givenUp);
            if (isAwaited) {
                count(now, 1);
            }
            return isAwaited ? now : its;
        });
    }
}
