package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import java.time.Instant;

/**
 * Addresses that the brake holds in their pools together, or has let through and that are still to be removed. Guarded
 * by the brake.
 */
final class HeldRemoval {

    final String id;
    final Instant since;
    final Instant until;

    /** Shrinks only: an address that is to be removed later belongs to another removal. */
    final PoolAddresses members;

    private final long all;
    private final String text;
    private boolean letThrough;

    /**
     * @param all how many addresses the pools held together when the removal was held
     * @param text one sentence for people: what is held, and why
     */
    HeldRemoval(String id, Instant since, Instant until, PoolAddresses members, long all, String text) {
        this.id = id;
        this.since = since;
        this.until = until;
        this.members = members;
        this.all = all;
        this.text = text;
    }

    boolean isLetThrough() {
        return letThrough;
    }

    void letThrough() {
        letThrough = true;
    }

    BrakedRemoval describe() {
        return new BrakedRemoval(id, since, until, members.size(), all, text);
    }
}
