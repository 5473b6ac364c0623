package dev.poolkeeper.core.pool;

import java.time.Instant;

/**
 * Another writer changes a pool back.
 *
 * @param changedBack how often, without a long break
 * @param last when it did so last
 * @param until when the pool is written again at the earliest
 * @param owed whether the write that answers the latest change-back is still outstanding
 */
public record Fight(int changedBack, Instant last, Instant until, boolean owed) {

    /** The same, after the write that answers the latest change-back. */
    public Fight written() {
        return new Fight(changedBack, last, until, false);
    }
}
