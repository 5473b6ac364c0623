package dev.poolkeeper.k8s.lease;

import java.time.Instant;
import java.util.Optional;

/**
 * The resource lock as one process knows it.
 *
 * @param held whether this process holds it; false at once when it starts to give it back
 * @param holding who holds it; empty where no one is known to. What is known of another writer is from the last attempt
 *     to acquire it, and forgotten when it expires
 * @param availableAt when an attempt can succeed at the earliest, as far as is known: when the other writer's Lease
 *     expires or the turn of others ends. Empty where there is nothing to wait for, or this process holds it
 * @param error why the last attempt failed; empty where it did not
 */
public record ResourceLockStatus(
        boolean held, Optional<Holding> holding, Optional<Instant> availableAt, Optional<String> error) {

    /** No attempt was made yet. */
    public static final ResourceLockStatus NONE =
            new ResourceLockStatus(false, Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * A holder of the lock.
     *
     * @param holder its {@code holderIdentity}
     * @param since when it says that it acquired the lock; empty where it does not say
     * @param expires when others may take the lock unless it is renewed, by our clock
     */
    public record Holding(String holder, Optional<Instant> since, Instant expires) {}

    /** Whether another writer has it, so that this process waits for it. */
    public boolean isHeldByAnother() {
        return holding.isPresent() && availableAt.isPresent();
    }

    /** Who holds it; empty where no one is known to. */
    public Optional<String> holder() {
        return holding.map(Holding::holder);
    }
}
