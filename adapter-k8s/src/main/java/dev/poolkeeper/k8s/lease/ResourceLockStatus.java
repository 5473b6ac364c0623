package dev.poolkeeper.k8s.lease;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the resource lock as known to one process.
 *
 * @param held whether this process holds it; false as soon as it starts to release it
 * @param holding the current holder; empty if none is known. Another writer's hold is known from the last attempt to
 *     acquire the lock, and forgotten when it expires
 * @param availableAt the earliest time at which an attempt can succeed, as far as known: when the other writer's Lease
 *     expires or the other writers' turn ends. Empty if there is nothing to wait for, or this process holds the lock
 * @param error why the last attempt failed; empty if it did not
 */
public record ResourceLockStatus(
        boolean held, Optional<Holding> holding, Optional<Instant> availableAt, Optional<String> error) {

    /** No attempt yet. */
    public static final ResourceLockStatus NONE =
            new ResourceLockStatus(false, Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * A holder of the lock.
     *
     * @param holder its {@code holderIdentity}
     * @param since when it says that it acquired the lock; empty if it does not say
     * @param expires when others may acquire the lock unless it is renewed, by our clock
     */
    public record Holding(String holder, Optional<Instant> since, Instant expires) {}

    /** Whether another writer holds it, so that this process waits for it. */
    public boolean isHeldByAnother() {
        return holding.isPresent() && availableAt.isPresent();
    }

    /** The identity of the holder; empty if none is known. */
    public Optional<String> holder() {
        return holding.map(Holding::holder);
    }
}
