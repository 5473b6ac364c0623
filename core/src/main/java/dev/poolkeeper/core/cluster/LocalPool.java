package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a Service wants in its pool of one IP family, for as long as the Service is local there. Guarded by the index's
 * lock.
 *
 * <p>Its slices may name nodes that the API server never reported. All Nodes are synced before anything is written, so
 * a node that stays missing for {@link #MAX_WAIT} does not exist: its endpoint belongs to another cluster, or to an
 * orphaned Pod.
 */
final class LocalPool {

    static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** Has been missing for long enough. */
    private static final Instant GIVEN_UP = Instant.MIN;

    final ServiceEntry service;
    final IpFamily family;

    /** Whether a slice of this Service and family existed or was seen since the Service became local. */
    boolean sliceSeen;

    /** What the Service wants in the pool, as last reported. */
    Want want;

    /** Since when it has waited for a missing node, as last noted by {@link Waits}; {@link Instant#MAX} for not. */
    Instant waitsSince = Instant.MAX;

    /** Since when each missing node has been missing. */
    private Map<NodeEntry, Instant> missing = Map.of();

    LocalPool(ServiceEntry service, IpFamily family, PoolKey pool) {
        this.service = service;
        this.family = family;
        this.sliceSeen = service.hasSlice(family);
        this.want = Want.ofUnseen(service.name, pool, service.isPaused());
    }

    PoolKey pool() {
        return want.pool();
    }

    /** A slice of this family was seen. Returns whether it is the first. */
    boolean markSeen() {
        boolean first = !sliceSeen;
        sliceSeen = true;
        return first;
    }

    /** What the Service wants after a look at its slices. Nodes that were missing before keep their time. */
    Want evaluated(Instant now) {
        Map<NodeEntry, Instant> found = new HashMap<>();
        for (SliceEntry slice : service.slices) {
            for (NodeEntry node : slice.nodes(family)) {
                if (!node.isSeen()) {
                    found.put(node, missing.getOrDefault(node, now));
                }
            }
        }
        missing = found.isEmpty() ? Map.of() : found;
        return want.evaluated(selected(), missing.values().stream().allMatch(GIVEN_UP::equals));
    }

    /** The addresses of the nodes that the slices name, as far as they are known. */
    AddressSet selected() {
        Object look = new Object();
        List<IpAddress> selected = new ArrayList<>();
        for (SliceEntry slice : service.slices) {
            for (NodeEntry node : slice.nodes(family)) {
                IpAddress address = node.address(family);
                if (address != null && !look.equals(node.lastLook)) {
                    node.lastLook = look;
                    selected.add(address);
                }
            }
        }
        return AddressSet.of(selected);
    }

    /** Since when the node that is waited for longest has been missing; {@link Instant#MAX} if none is waited for. */
    Instant missingSince() {
        return missing.values().stream()
                .filter(since -> !since.equals(GIVEN_UP))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    /** Gives up the nodes that have been missing since this time or longer. */
    void giveUp(Instant since) {
        missing.replaceAll((node, its) -> its.isAfter(since) ? its : GIVEN_UP);
    }

    /** The time of the nodes that are waited for starts again. */
    void restart(Instant now) {
        missing.replaceAll((node, its) -> its.equals(GIVEN_UP) ? its : now);
    }
}
