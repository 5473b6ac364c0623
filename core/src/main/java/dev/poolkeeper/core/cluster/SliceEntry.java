package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An EndpointSlice in the index. Immutable. */
final class SliceEntry {

    final ServiceEntry service;

    /** The family of its {@code addressType}, null if that is not an IP family. */
    final @Nullable IpFamily family;

    /** The distinct nodes that its endpoints reference. */
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

    boolean hasSameContentAs(SliceEntry other) {
        return service == other.service && family == other.family && Arrays.equals(nodes, other.nodes);
    }
}
