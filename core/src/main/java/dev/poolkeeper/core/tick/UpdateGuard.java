package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;

/**
 * May hold an update back, whole or in part. What is held back stays queued as on a preservation tick: it is superseded
 * as ever, counts no attempt, and is asked for again at the next tick. Implementations are thread-safe and never block.
 */
public interface UpdateGuard {

    /** Holds nothing back. */
    UpdateGuard NONE = new UpdateGuard() {};

    /** Whether the group may be tried now. Asked before anything is sent for it. */
    default boolean admits(OperationGroup group) {
        return true;
    }

    /**
     * What of a change may be written now.
     *
     * @param read the pool as it was just read
     * @param folded what it shall hold in the end; differs from what it holds
     * @return {@code folded}, or less of a change; what the pool holds if nothing may be written
     */
    default AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        return folded;
    }
}
