package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.WriteQuota;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an engine, passed to its classes.
 *
 * @param ports the ports that the engine calls
 * @param view the addresses that the cluster wants
 * @param settings the engine's settings
 * @param lanes how load balancers are served
 * @param executor runs updates
 * @param lister runs listings
 * @param clock the steady clock that adapters of the process share
 * @param draws random numbers from 0 (inclusive) to 1 (exclusive)
 * @param known the pools, with what is wanted and what was last seen in them
 * @param guards the guards that may hold updates; empty for none
 * @param ticks observes each tick
 * @param facts publishes what happens
 * @param traces creates what the calls of an attempt are traced under
 */
record Assembly(
        Ports ports,
        ClusterView view,
        EngineSettings settings,
        Lanes lanes,
        Executor executor,
        Executor lister,
        InstantSource clock,
        DoubleSupplier draws,
        Pools known,
        Optional<ActiveGuards> guards,
        TickObserver ticks,
        Facts facts,
        Function<PoolKey, @Nullable Object> traces) {

    /**
     * @param dryRun receives the plans of a dry run; empty if plans are written
     * @param budget caps retries across ticks
     * @param quota the remaining quota that is shared with other writers
     */
    record Ports(
            BackendPools pools,
            PoolDirectory directory,
            ResourceLock resourceLock,
            RetryBudget budget,
            WriteQuota quota,
            Optional<Consumer<Plan>> dryRun) {}

    /**
     * @param single held while a pool is updated, if one lane serves all load balancers; null if each has its own
     * @param each the lock of a load balancer, likewise
     * @param isEmbedders whether the embedder acquires these locks too, so that no listener is called under them
     */
    record Lanes(@Nullable Lock single, Function<ArmName, Lock> each, boolean isEmbedders) {

        static Lanes single(Lock lock, boolean isEmbedders) {
            return new Lanes(lock, loadBalancer -> lock, isEmbedders);
        }
    }
}
