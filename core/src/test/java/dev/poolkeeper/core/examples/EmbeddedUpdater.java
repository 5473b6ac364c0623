package dev.poolkeeper.core.examples;

import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.PoolLocations;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** The whole updater inside somebody else's controller: no framework, plain constructors. */
final class EmbeddedUpdater {

    private final EndpointIndex index;
    private final BackendPoolUpdater updater;
    private final PoolDirectory directory;

    /** @param reconcileLock the lock under which your own controller changes Services and load balancers */
    EmbeddedUpdater(
            BackendPools pools,
            PoolDirectory directory,
            ResourceLock resourceLock,
            ServiceEvents events,
            Lock reconcileLock,
            InstantSource clock) {
        OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        this.index = new EndpointIndex(new ChangeQueuer(queue));
        this.updater = new BackendPoolUpdater(
                UpdaterSettings.DEFAULTS,
                queue,
                index,
                new UpdaterPorts(pools, resourceLock, events),
                reconcileLock,
                clock);
        this.directory = directory;
    }

    /** Feed it: call this from your informers' handlers, from any thread. */
    ClusterListener cluster() {
        return index;
    }

    /** Tell it which load balancer holds which pool: at the start, and when load balancers changed. */
    void refreshDirectory() {
        if (directory.list() instanceof Reply.Ok<List<BackendPool>>(List<BackendPool> pools)) {
            index.locationsChanged(
                    PoolLocations.of(pools.stream().map(BackendPool::key).toList()));
        } // a listing that failed changes nothing: what was known stays
    }

    /** Tick it: every 30 seconds, say. */
    void start(ScheduledExecutorService executor, long intervalSeconds) {
        var unused =
                executor.scheduleWithFixedDelay(updater::process, intervalSeconds, intervalSeconds, TimeUnit.SECONDS);
    }

    /** Or tick it yourself. */
    void tick() {
        updater.process();
    }

    /** Nothing is sent, reported or requeued after this. */
    void stop() {
        updater.shutdown();
    }
}
