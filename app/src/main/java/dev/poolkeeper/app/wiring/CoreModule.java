package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.UpdaterMetrics;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/** The core: queue, endpoint index, updater. Its ports and settings come from the other modules. */
public final class CoreModule extends AbstractModule {

    @Override
    protected void configure() {
        bind(ClusterListener.class).to(EndpointIndex.class);
        bind(LocalServices.class).to(EndpointIndex.class);
    }

    @Provides
    @Singleton
    OperationQueue queue(UpdateModel model) {
        return new OperationQueue(model);
    }

    @Provides
    @Singleton
    EndpointIndex index(OperationQueue queue) {
        return new EndpointIndex(new ChangeQueuer(queue));
    }

    @Provides
    UpdaterPorts ports(
            BackendPools pools,
            ResourceLock resourceLock,
            ServiceEvents events,
            UpdaterMetrics metrics,
            RetryBudget budget) {
        return new UpdaterPorts(pools, resourceLock, events, metrics, budget);
    }

    @Provides
    @Singleton
    BackendPoolUpdater updater(
            UpdaterSettings settings,
            OperationQueue queue,
            LocalServices services,
            UpdaterPorts ports,
            InstantSource clock) {
        return new BackendPoolUpdater(settings, queue, services, ports, new ReentrantLock(), clock);
    }
}
