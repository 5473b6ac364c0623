package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import java.time.Instant;

/** Addresses that the brake holds together, or has let through but that are not removed yet. Guarded by the brake. */
final class HeldRemoval {

    final String id;
    final Instant since;
    final Instant until;

    /** Only shrinks: an address to be removed later belongs to another removal. */
    final PoolAddresses members;

    private final long all;
    private final String text;
    private boolean letThrough;

    /**
     * @param all the number of addresses in all pools when the removal was held
     * @param text one sentence for people that states what is held and why
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
