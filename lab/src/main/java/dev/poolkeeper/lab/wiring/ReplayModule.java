package dev.poolkeeper.lab.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.wiring.CoreModule;
import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.lab.replay.DryRunCloud;
import dev.poolkeeper.lab.replay.EmulatedArm;
import dev.poolkeeper.lab.replay.MemoryCloud;
import dev.poolkeeper.lab.replay.Replay;
import dev.poolkeeper.lab.replay.ReplayCloud;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.UpdaterMetrics;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/** A replay on virtual time, against the cloud in memory or against ARM's emulator on the same memory. */
public final class ReplayModule extends AbstractModule {

    /** The default policy with waits that suit a replay: virtual time stands still meanwhile. */
    private static final RetryPolicy RETRIES = new RetryPolicy(
            RetryPolicy.DEFAULT.codes(),
            RetryPolicy.DEFAULT.attempts(),
            Duration.ofMillis(5),
            Duration.ZERO,
            RetryPolicy.DEFAULT.backendRequest());

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
        bind(ResourceLock.class).toInstance(options.faults().resourceLock(clock, VirtualTime.START));
        bind(FakeServiceEvents.class).toInstance(new FakeServiceEvents(clock, onEvent));
        if (options.dryRun()) {
            bind(ServiceEvents.class).toInstance(event -> {});
            bind(UpdaterMetrics.class).toInstance(UpdaterMetrics.NONE);
        } else {
            bind(ServiceEvents.class).to(FakeServiceEvents.class);
            bind(UpdaterMetrics.class).to(FakeMetrics.class);
        }
        bind(FakeMetrics.class).toInstance(new FakeMetrics());
        bind(UpdateModel.class).toInstance(options.model());
        bind(UpdaterSettings.class).toInstance(new UpdaterSettings(options.maxRetries(), VirtualTime::text));
        install(new CoreModule());
    }

    /** Budgets count virtual time, so that waiting for one ends; in memory there is nothing to protect. */
    @Provides
    @Singleton
    RetryModel retries(ManualClock clock) {
        return new RetryModel(
                new RetrySettings(RETRIES, BudgetSettings.DEFAULT),
                () -> VirtualTime.millis(clock.instant()) * 1_000_000,
                () -> 0);
    }

    @Provides
    RetryBudget budget(RetryModel retries) {
        return options.via() == ReplayOptions.Via.MEMORY ? RetryBudget.ENDLESS : retries.budget();
    }

    @Provides
    @Singleton
    ReplayCloud replayCloud(FakeCloud cloud, ManualClock clock, RetryModel retries, EndpointIndex index)
            throws IOException {
        ReplayCloud reached = options.via() == ReplayOptions.Via.MEMORY
                ? new MemoryCloud(cloud)
                : EmulatedArm.over(cloud, clock, retries.calls(), index::nodeName);
        return options.dryRun() ? new DryRunCloud(reached) : reached;
    }

    @Provides
    BackendPools pools(ReplayCloud cloud) {
        return cloud.pools();
    }

    @Provides
    @Singleton
    Replay replay(ManualClock clock, OperationQueue queue, ClusterListener cluster, BackendPoolUpdater updater) {
        return new Replay(options, clock, queue, cluster, updater);
    }

    @Provides
    @Singleton
    ReplaySession session(
            Replay replay,
            EndpointIndex index,
            FakeCloud cloud,
            ReplayCloud replayCloud,
            FakeServiceEvents events,
            FakeMetrics metrics) {
        return new ReplaySession(options, replay, index, cloud, replayCloud, events, metrics);
    }
}
