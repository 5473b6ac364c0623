package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.merge.UpdateModel;

/**
 * The amount of work of a tick.
 *
 * @param pools the number of pools
 * @param rounds how often the desired state of each pool's Service changes
 * @param addresses the number of addresses per change
 */
record Shape(int pools, int rounds, int addresses) {

    /** The round whose window is every pool's initial content. */
    private static final int START = 100;

    /** Parses {@code 1000x10x20}. */
    static Shape parse(String text) {
        String[] parts = text.split("x", 3);
        return new Shape(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** The number of pending operations once all changes are reported. */
    int operations(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE ? pools : pools * rounds;
    }

    /** The pools with their initial content. */
    MemoryPools pools(MemoryPools memory) {
        for (int i = 0; i < pools; i++) {
            memory.put(Peer.pool(i), Peer.window(i, START, addresses));
        }
        return memory;
    }

    /** The changes in order: round by round, Service by Service. */
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
