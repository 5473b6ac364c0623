package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import java.util.Arrays;

/**
 * Unions the addresses of the nodes that a Service's slices name. Takes each node once by marking it with the number of
 * the pass, and collects into one array that is used again and again. Guarded by the index's lock.
 */
final class WantedAddresses {

    private IpAddress[] collected = new IpAddress[64];
    private long pass;

    /**
     * What a Service's slices come to in one family.
     *
     * @param addresses of the nodes named
     * @param everyNodeSeen whether the API server ever spoke of every node named
     */
    record Result(AddressSet addresses, boolean everyNodeSeen) {}

    Result of(ServiceEntry service, IpFamily family) {
        pass++;
        int count = 0;
        boolean everyNodeSeen = true;
        for (SliceEntry slice : service.slices) {
            if (slice.family != family) {
                continue;
            }
            for (NodeEntry node : slice.nodes) {
                if (node.pass == pass) {
                    continue;
                }
                node.pass = pass;
                everyNodeSeen &= node.isSeen();
                for (IpAddress address : node.addresses(family)) {
                    count = collect(address, count);
                }
            }
        }
        AddressSet addresses = AddressSet.ofArray(collected, count);
        Arrays.fill(collected, 0, count, null);
        return new Result(addresses, everyNodeSeen);
    }

    private int collect(IpAddress address, int count) {
        if (count == collected.length) {
            collected = Arrays.copyOf(collected, 2 * count);
        }
        collected[count] = address;
        return count + 1;
    }

    /** The nodes, each once, in order, with the Service noted as a user of each. Reorders the given array. */
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
