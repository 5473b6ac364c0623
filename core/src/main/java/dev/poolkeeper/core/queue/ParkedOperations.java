package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the parked groups of a load balancer free of what became stale, without taking them out: the operations of
 * Services that are not local with their pool any more are dropped, and a group that waited only for such ones waits no
 * longer.
 *
 * <p>Asks about every parked operation, but only if a Service came or went since it last did, where
 * {@link LocalServices#revision} tells. Not thread-safe: for one tick after another. Never holds the queue's lock while
 * it asks.
 */
public final class ParkedOperations {

    private final OperationQueue queue;
    private final LocalServices services;
    private final @Nullable ArmName loadBalancer;
    private long checkedRevision = LocalServices.UNKNOWN_REVISION;

    /** @param loadBalancer whose parked groups, null for all */
    public ParkedOperations(OperationQueue queue, LocalServices services, @Nullable ArmName loadBalancer) {
        this.queue = queue;
        this.services = services;
        this.loadBalancer = loadBalancer;
    }

    /** Drops what is stale of the groups that have to wait until after {@code now}. */
    public void dropStale(Instant now) {
        long revision = services.revision(); // before asking: who comes or goes meanwhile is asked about next time
        if (revision != LocalServices.UNKNOWN_REVISION && revision == checkedRevision) {
            return;
        }
        for (PendingOperation parked : queue.parked(loadBalancer, now)) {
            if (!services.isLocal(
                    parked.operation().service(), parked.operation().pool())) {
                queue.remove(parked);
            }
        }
        checkedRevision = revision;
    }
}
