package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One EndpointSlice as the index knows it. Immutable. */
final class SliceEntry {

    /** The Service it belongs to. */
    final ServiceEntry service;

    /** The family of its {@code addressType}, null for one that is no IP family. */
    final @Nullable IpFamily family;

    /** The nodes that its endpoints name, each once. */
    final NodeEntry[] nodes;

    SliceEntry(ServiceEntry service, @Nullable IpFamily family, NodeEntry[] nodes) {
        this.service = service;
        this.family = family;
        this.nodes = nodes;
    }

    boolean isOf(ServiceName name, IpFamily ofFamily) {
        return service.name.equals(name) && family == ofFamily;
    }

    boolean names(NodeEntry node) {
        for (NodeEntry other : nodes) {
            if (other == node) {
                return true;
            }
        }
        return false;
    }

    boolean saysTheSameAs(SliceEntry other) {
        return service == other.service && family == other.family && Arrays.equals(nodes, other.nodes);
    }
}
