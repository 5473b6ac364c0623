package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.plan.UpdateModel;

/**
 * How much a tick has to do.
 *
 * @param pools so many pools,
 * @param rounds each of whose Services wants something else so many times,
 * @param addresses so many addresses each time
 */
record Shape(int pools, int rounds, int addresses) {

    /** The round whose window every pool starts with. */
    private static final int START = 100;

    /** Reads {@code 1000x10x20}. */
    static Shape parse(String text) {
        String[] parts = text.split("x", 3);
        return new Shape(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** How many operations wait once all changes are reported. */
    int operations(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE ? pools : pools * rounds;
    }

    /** Pools as they are before the tick. */
    MemoryPools pools(MemoryPools memory) {
        for (int i = 0; i < pools; i++) {
            memory.put(Peer.pool(i), Peer.window(i, START, addresses));
        }
        return memory;
    }

    /** The changes in their order: round by round, Service by Service. */
    Change[] changes(UpdateModel model) {
        Change[] changes = new Change[pools * rounds];
        for (int k = 0; k < rounds; k++) {
            for (int i = 0; i < pools; i++) {
                changes[k * pools + i] = Peer.round(model, i, k, addresses);
            }
        }
        return changes;
    }
}
