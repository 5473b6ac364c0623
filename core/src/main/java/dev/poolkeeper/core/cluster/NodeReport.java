package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import java.util.List;
import java.util.Optional;

/**
 * What the index knows of one node for one Service in one of its pools. Immutable.
 *
 * @param presence whether the node is there
 * @param excludedBy the label that excludes it from load balancers; empty for none
 * @param addresses its internal IPs in the pool's family, whether or not they count
 * @param slices the names of the Service's EndpointSlices of that family that name the node, sorted
 */
public record NodeReport(Presence presence, Optional<String> excludedBy, AddressSet addresses, List<String> slices) {

    /** Whether a node is there. */
    public enum Presence {
        /** The API server never spoke of it. */
        UNKNOWN,
        PRESENT,
        DELETED
    }

    public NodeReport {
        slices = List.copyOf(slices);
    }
}
