package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.queue.Operation;
import dev.poolkeeper.core.plan.UpdateModel;

/**
 * How much a tick has to do.
 *
 * @param pools so many pools,
 * @param rounds with so many operations each,
 * @param addresses of so many addresses each
 */
record Shape(int pools, int rounds, int addresses) {

    /** The round whose window every pool starts with. */
    private static final int START = 100;

    /** Reads {@code 1000x10x20}. */
    static Shape parse(String text) {
        String[] parts = text.split("x", 3);
        return new Shape(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    int operations() {
        return pools * rounds;
    }

    /** Pools as they are before the tick. */
    MemoryPools pools(MemoryPools memory) {
        for (int i = 0; i < pools; i++) {
            memory.put(Peer.pool(i), Peer.window(i, START, addresses));
        }
        return memory;
    }

    /** The operations in their order of arrival: round by round, pool by pool. */
    Operation[] operations(UpdateModel model) {
        Operation[] operations = new Operation[operations()];
        for (int k = 0; k < rounds; k++) {
            for (int i = 0; i < pools; i++) {
                operations[k * pools + i] = Peer.round(model, i, k, addresses);
            }
        }
        return operations;
    }
}
