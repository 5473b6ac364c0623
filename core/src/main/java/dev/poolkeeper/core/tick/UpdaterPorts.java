package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.UpdaterMetrics;

/**
 * What the updater speaks to.
 *
 * @param pools where pools are read and written
 * @param resourceLock the lock that other writers to the load balancers honour
 * @param events where Services are told
 * @param metrics what counts outcomes
 * @param budget what caps retries
 * @param guard what may hold an update back
 */
public record UpdaterPorts(
        BackendPools pools,
        ResourceLock resourceLock,
        ServiceEvents events,
        UpdaterMetrics metrics,
        RetryBudget budget,
        UpdateGuard guard) {

    /** Nothing is held back. */
    public UpdaterPorts(
            BackendPools pools,
            ResourceLock resourceLock,
            ServiceEvents events,
            UpdaterMetrics metrics,
            RetryBudget budget) {
        this(pools, resourceLock, events, metrics, budget, UpdateGuard.NONE);
    }

    /** Without metrics, and with a budget that admits every retry. */
    public UpdaterPorts(BackendPools pools, ResourceLock resourceLock, ServiceEvents events) {
        this(pools, resourceLock, events, UpdaterMetrics.NONE, RetryBudget.ENDLESS);
    }
}
