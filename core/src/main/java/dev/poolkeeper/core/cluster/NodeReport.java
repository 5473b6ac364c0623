package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import java.util.List;
import java.util.Optional;

/**
 * The state of one node for one Service in one of its pools. Immutable.
 *
 * @param presence whether the node exists
 * @param excludedBy the label that excludes it from load balancers; empty for none
 * @param addresses its internal IPs in the pool's family, whether or not they are eligible
 * @param slices the names of the Service's EndpointSlices of that family that reference the node, sorted
 */
public record NodeReport(Presence presence, Optional<String> excludedBy, AddressSet addresses, List<String> slices) {

    /** Whether a node exists. */
    public enum Presence {
        /** The API server never reported it. */
        UNKNOWN,
        PRESENT,
        DELETED
    }

    public NodeReport {
        slices = List.copyOf(slices);
    }

    static NodeReport of(PoolEntry pool, NodeEntry node) {
        List<String> naming = pool.service.slices.stream()
                .filter(slice -> slice.nodes(pool.family).contains(node))
                .map(SliceEntry::name)
                .sorted()
                .toList();
        AddressSet addresses = AddressSet.of(node.internalIps()).ofFamily(pool.family);
        return new NodeReport(node.presence(), node.excludedBy(), addresses, naming);
    }
}
