package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the addresses of the nodes that a Service's slices reference. Marks each node with the number of the pass to
 * visit it once, and reuses one array for the result. Guarded by the index's lock.
 */
final class WantedAddresses {

    private IpAddress[] collected = new IpAddress[64];
    private long pass;

    /**
     * The addresses selected by a Service's slices in one family.
     *
     * @param addresses of the referenced nodes
     * @param missing the referenced nodes that the API server never reported
     */
    record Result(AddressSet addresses, List<NodeEntry> missing) {}

    Result of(ServiceEntry service, IpFamily family) {
        pass++;
        int count = 0;
        List<NodeEntry> missing = List.of();
        for (SliceEntry slice : service.slices) {
            if (slice.family != family) {
                continue;
            }
            for (NodeEntry node : slice.nodes) {
                if (node.pass == pass) {
                    continue;
                }
                node.pass = pass;
                if (!node.isSeen()) {
                    missing = missing.isEmpty() ? new ArrayList<>() : missing;
                    missing.add(node);
                }
                for (IpAddress address : node.addresses(family)) {
                    count = collect(address, count);
                }
            }
        }
        AddressSet addresses = AddressSet.ofArray(collected, count);
        Arrays.fill(collected, 0, count, null);
        return new Result(addresses, missing);
    }

    private int collect(IpAddress address, int count) {
        if (count == collected.length) {
            collected = Arrays.copyOf(collected, 2 * count);
        }
        collected[count] = address;
        return count + 1;
    }

    /** The distinct nodes in order, with the Service recorded as a user of each. Reorders the given array. */
    NodeEntry[] distinct(NodeEntry[] nodes, ServiceEntry service) {
        pass++;
        int count = 0;
        for (NodeEntry node : nodes) {
            if (node.pass != pass) {
                node.pass = pass;
                node.users.set(service.number);
                nodes[count++] = node;
            }
        }
        return count == nodes.length ? nodes : Arrays.copyOf(nodes, count);
    }
}
