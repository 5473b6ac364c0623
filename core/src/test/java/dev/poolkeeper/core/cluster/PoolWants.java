package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.PoolKey;

/** What the local Services of one pool want in it, by the index's survey of all. */
final class PoolWants {

    private PoolWants() {}

    static Wants of(EndpointIndex index, PoolKey pool) {
        Wants wants = Wants.NONE;
        for (Want want : index.wants()) {
            wants = want.pool().equals(pool) ? wants.with(want) : wants;
        }
        return wants;
    }
}
