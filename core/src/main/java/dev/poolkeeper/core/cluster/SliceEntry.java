package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An EndpointSlice in the index. Immutable.
 *
 * @param key its name
 * @param service its Service
 * @param family the family of its {@code addressType}; null if that is not an IP family
 * @param nodes the node of each endpoint that has one, so that an endpoint takes one reference
 */
record SliceEntry(Key key, ServiceEntry service, @Nullable IpFamily family, List<NodeEntry> nodes) {

    /** The nodes if it is of this family; otherwise none. */
    List<NodeEntry> nodes(IpFamily ofFamily) {
        return family == ofFamily ? nodes : List.of();
    }

    /** The name of a slice. */
    record Key(String namespace, String name) {

        static Key of(EndpointSliceState slice) {
            return new Key(slice.namespace(), slice.name());
        }
    }
}
