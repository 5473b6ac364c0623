package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import java.util.List;

/**
 * What is to become of a pool: plans that are all built from its last known contents.
 *
 * @param waiting the plans of the updates that wait, are parked or are in progress
 * @param released what the guards before the brake let through of them
 */
public record Prospect(List<Plan> waiting, List<Plan> released) {

    static final Prospect NONE = new Prospect(List.of(), List.of());

    /** Makes the prospect of a pool; quick, since the lock of the pools is held. */
    @FunctionalInterface
    public interface Maker {

        /** @param isRemembered whether the brake remembers removals from the pool, even if no update waits */
        Prospect of(Pool pool, boolean isRemembered);
    }
}
