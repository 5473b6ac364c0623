package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.Guard;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.UpdaterMetrics;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The parts that an engine is made of, for its classes to take what they need.
 *
 * @param ports what the engine speaks to
 * @param view what the cluster wants
 * @param settings how the engine works
 * @param lanes how load balancers are served
 * @param time all time and chance
 * @param known what the pools hold, as far as is known
 * @param freshness measures how long pools are not as wanted
 * @param guards what may hold updates back
 * @param instantText how an instant is written in an event's message
 */
record Assembly(
        Ports ports,
        ClusterView view,
        EngineSettings settings,
        Lanes lanes,
        Time time,
        KnownPools known,
        Freshness freshness,
        Guard guards,
        Function<Instant, String> instantText) {

    /**
     * @param dryRun what takes the plans that are not written; empty where they are written
     * @param budget what caps retries across ticks
     * @param quota how much is left of the quota that other writers share
     */
    record Ports(
            BackendPools pools,
            PoolDirectory directory,
            ResourceLock resourceLock,
            ServiceEvents events,
            UpdaterMetrics metrics,
            RetryBudget budget,
            WriteQuota quota,
            Optional<Consumer<Plan>> dryRun) {}

    BackendPools pools() {
        return ports.pools();
    }

    ResourceLock resourceLock() {
        return ports.resourceLock();
    }

    ServiceEvents events() {
        return ports.events();
    }

    UpdaterMetrics metrics() {
        return ports.metrics();
    }

    RetryBudget budget() {
        return ports.budget();
    }

    WriteQuota quota() {
        return ports.quota();
    }

    Optional<Consumer<Plan>> dryRun() {
        return ports.dryRun();
    }
}
