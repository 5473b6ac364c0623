package dev.poolkeeper.fake.load;

import java.util.BitSet;

/** The node of each endpoint in a generated cluster. */
final class Placement {

    /** The place of a pod that was removed and not yet replaced. */
    static final int NOWHERE = -1;

    private final LoadShape shape;
    private final int[] nodes;
    private final BitSet unusable = new BitSet();

    Placement(LoadShape shape) {
        this.shape = shape;
        int perService = shape.slicesPerService() * shape.endpointsPerSlice();
        this.nodes = new int[Math.multiplyExact(shape.services(), perService)];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = (int) ((i / perService * 7L + i % perService) % shape.nodes());
        }
    }

    int node(int service, int slice, int endpoint) {
        return nodes[index(service, slice, endpoint)];
    }

    void vacate(int service, int slice, int endpoint) {
        nodes[index(service, slice, endpoint)] = NOWHERE;
    }

    /** Moves a pod to the next schedulable node after the given one; {@link #NOWHERE} if there is none. */
    void moveOn(int service, int slice, int endpoint, int from) {
        int node = from;
        for (int step = 0; step < shape.nodes(); step++) {
            node = (node + 1) % shape.nodes();
            if (!unusable.get(node)) {
                nodes[index(service, slice, endpoint)] = node;
                return;
            }
        }
        vacate(service, slice, endpoint);
    }

    /** Marks the node as unschedulable. */
    void close(int node) {
        unusable.set(node);
    }

    private int index(int service, int slice, int endpoint) {
        return (service * shape.slicesPerService() + slice) * shape.endpointsPerSlice() + endpoint;
    }
}
