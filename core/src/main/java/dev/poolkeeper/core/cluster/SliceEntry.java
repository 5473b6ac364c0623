package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An EndpointSlice in the index. Immutable.
 *
 * @param name its name in the Service's namespace
 * @param service its Service
 * @param family the family of its {@code addressType}; null if that is not an IP family
 * @param nodes the node of each endpoint that has one, so that an endpoint takes one reference
 */
record SliceEntry(
        String name, ServiceEntry service, @Nullable IpFamily family, List<NodeEntry> nodes) {

    /** The nodes if it is of this family; otherwise none. */
    List<NodeEntry> nodes(IpFamily ofFamily) {
        return family == ofFamily ? nodes : List.of();
    }
}
