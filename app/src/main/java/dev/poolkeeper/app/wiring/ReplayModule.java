package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.replay.Replay;
import dev.poolkeeper.app.replay.ReplayOptions;
import dev.poolkeeper.app.replay.ReplaySession;
import dev.poolkeeper.app.replay.VirtualTime;
import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.UpdaterMetrics;
import java.time.InstantSource;
import java.util.function.Consumer;

/** A replay against the cloud in memory, on virtual time, with the endless retry budget. */
public final class ReplayModule extends AbstractModule {

    private final ReplayOptions options;
    private final Consumer<FakeServiceEvents.Emitted> onEvent;

    /** @param onEvent hears of each event as it happens */
    public ReplayModule(ReplayOptions options, Consumer<FakeServiceEvents.Emitted> onEvent) {
        this.options = options;
        this.onEvent = onEvent;
    }

    @Override
    protected void configure() {
        ManualClock clock = new ManualClock(VirtualTime.START);
        FakeCloud cloud = new FakeCloud(clock, options.inventory(), options.faults(), call -> {});
        bind(ReplayOptions.class).toInstance(options);
        bind(ManualClock.class).toInstance(clock);
        bind(InstantSource.class).toInstance(clock);
        bind(FakeCloud.class).toInstance(cloud);
        bind(BackendPools.class).toInstance(cloud);
        bind(PoolDirectory.class).toInstance(cloud);
        bind(ResourceLock.class).toInstance(options.faults().resourceLock(clock, VirtualTime.START));
        bind(FakeServiceEvents.class).toInstance(new FakeServiceEvents(clock, onEvent));
        bind(ServiceEvents.class).to(FakeServiceEvents.class);
        bind(FakeMetrics.class).toInstance(new FakeMetrics());
        bind(UpdaterMetrics.class).to(FakeMetrics.class);
        bind(RetryBudget.class).toInstance(RetryBudget.ENDLESS);
        bind(UpdateModel.class).toInstance(options.model());
        bind(UpdaterSettings.class).toInstance(new UpdaterSettings(options.maxRetries(), VirtualTime::text));
        install(new CoreModule());
    }

    @Provides
    @Singleton
    Replay replay(ManualClock clock, OperationQueue queue, ClusterListener cluster, BackendPoolUpdater updater) {
        return new Replay(options, clock, queue, cluster, updater);
    }

    @Provides
    @Singleton
    ReplaySession session(
            Replay replay, EndpointIndex index, FakeCloud cloud, FakeServiceEvents events, FakeMetrics metrics) {
        return new ReplaySession(options, replay, index, cloud, events, metrics);
    }
}
