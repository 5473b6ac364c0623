package dev.poolkeeper.lab.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineBuilder;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.lab.replay.BoundedLanes;
import dev.poolkeeper.lab.replay.DryRunPlans;
import dev.poolkeeper.lab.replay.EmulatedArm;
import dev.poolkeeper.lab.replay.LaneStarts;
import dev.poolkeeper.lab.replay.MemoryCloud;
import dev.poolkeeper.lab.replay.Replay;
import dev.poolkeeper.lab.replay.ReplayCloud;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplayRecords;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.replay.TickErrors;
import dev.poolkeeper.lab.replay.TimedCalls;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.WriteQuota;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A replay on virtual time, against the cloud in memory or against ARM's emulator on the same memory. */
public final class ReplayModule extends AbstractModule {

    /** The wait before a retry inside a call: short, because virtual time stands still meanwhile. */
    private static final Duration BACKOFF = Duration.ofMillis(5);

    private final ReplayOptions options;
    private final Consumer<FakeServiceEvents.Emitted> onEvent;

    /** @param onEvent called with each event as it is emitted */
    public ReplayModule(ReplayOptions options, Consumer<FakeServiceEvents.Emitted> onEvent) {
        this.options = options;
        this.onEvent = onEvent;
    }

    @Override
    protected void configure() {
        FakeTime time = new FakeTime(VirtualTime.START, () -> 0);
        bind(FakeTime.class).toInstance(time);
        bind(FakeCloud.class)
                .toInstance(new FakeCloud(
                        time, options.input().inventory(), options.input().faults(), call -> {}));
        bind(FakeServiceEvents.class).toInstance(new FakeServiceEvents(time, onEvent));
        bind(UpdateCounts.class).toInstance(new UpdateCounts());
        bind(EndpointIndex.class).toInstance(new EndpointIndex(time));
        bind(DryRunPlans.class).toInstance(new DryRunPlans());
    }

    /**
     * Budgets use virtual time, so that waits for them end. A call takes none: its timeout only bounds each attempt.
     */
    @Provides
    @Singleton
    RetryModel retries(FakeTime time) {
        RetrySettings settings =
                options.daemon().map(daemon -> daemon.live().retries()).orElse(RetrySettings.DEFAULT);
        return new RetryModel(
                new RetrySettings(
                        settings.routes().stream()
                                .map(route -> new RetryRoute(route.condition(), quick(route.policy())))
                                .toList(),
                        quick(settings.policy()),
                        settings.constraint()),
                time);
    }

    private static RetryPolicy quick(RetryPolicy policy) {
        return new RetryPolicy(policy.codes(), policy.attempts(), BACKOFF, policy.request(), policy.backendRequest());
    }

    @Provides
    @Singleton
    ReplayCloud replayCloud(FakeCloud cloud, FakeTime time, RetryModel retries, EndpointIndex index)
            throws IOException {
        return options.via() == ReplayOptions.Via.MEMORY
                ? new MemoryCloud(cloud)
                : EmulatedArm.over(cloud, time, retries.calls(), index::nodeName);
    }

    @Provides
    @Singleton
    LaneStarts laneStarts(FakeCloud cloud, FakeTime time) {
        return options.armTimes()
                .<LaneStarts>map(times -> new TimedCalls(cloud, time, times))
                .orElseGet(LaneStarts::new);
    }

    @Provides
    @Singleton
    BackendPools pools(LaneStarts starts, ReplayCloud cloud) {
        return starts instanceof TimedCalls timed ? timed : cloud.pools();
    }

    @Provides
    @Singleton
    WriteQuota quota(ReplayCloud cloud) {
        return cloud.quota();
    }

    /** Load balancers are listed once, unless this is what the daemon does. */
    private EngineSettings settings() {
        return options.daemon().isPresent()
                ? options.engine()
                : options.engine().withDirectoryRefresh(Duration.ZERO);
    }

    /** If calls take no time, ticks process all load balancers in the order of the queue. */
    private EngineBuilder inLanes(EngineBuilder builder, LaneStarts starts) {
        if (options.armTimes().isEmpty() && options.engine().pace() instanceof Pace.Tick) {
            return builder;
        }
        builder.executor(options.daemon()
                .<Executor>map(daemon ->
                        new BoundedLanes(starts, daemon.daemon().calls().concurrency()))
                .orElse(starts));
        return options.oneLane() ? builder : builder.sideBySide();
    }

    /** There is no other holder, so the lock is always free, however long the updates take. */
    @Provides
    @Singleton
    ResourceLock resourceLock(FakeTime time) {
        return options.input().faults().lease().isEmpty()
                ? ResourceLock.NONE
                : options.input().faults().resourceLock(time, VirtualTime.START);
    }

    @Provides
    @Singleton
    TickErrors errors() {
        return new TickErrors();
    }

    @Provides
    @Singleton
    Engine engine(
            EndpointIndex index,
            ReplayCloud cloud,
            BackendPools pools,
            WriteQuota quota,
            RetryModel retries,
            ResourceLock resourceLock,
            LaneStarts starts,
            TickErrors errors,
            FakeTime time,
            FakeServiceEvents events,
            UpdateCounts metrics,
            DryRunPlans plans) {
        EngineBuilder builder = inLanes(Engine.builder(index, pools, cloud.directory(), time), starts)
                .hasSynced(() -> true)
                .settings(settings())
                .lister(Runnable::run)
                .ticks(errors)
                .resourceLock(resourceLock)
                .events(events)
                .facts(metrics)
                .quota(quota)
                .budgetAcrossTicks(retries.acrossTicks())
                .instantText(VirtualTime::text);
        Engine engine = options.dryRun() ? builder.dryRun(plans::add).build() : builder.build();
        options.daemon().map(Configuration::live).ifPresent(live -> {
            engine.pause(live.paused());
            engine.agreeToRemovals(live.agreedRemovals());
        });
        return engine;
    }

    @Provides
    @Singleton
    Replay replay(FakeTime time, EndpointIndex index, Engine engine, LaneStarts starts, TickErrors errors) {
        return new Replay(options, time, index, engine, starts, errors);
    }

    @Provides
    @Singleton
    ReplayRecords records(FakeCloud cloud, FakeServiceEvents events, UpdateCounts metrics, DryRunPlans plans) {
        return new ReplayRecords(cloud, events, metrics, plans);
    }

    @Provides
    @Singleton
    ReplaySession session(Replay replay, Engine engine, EndpointIndex index, ReplayCloud cloud, ReplayRecords records) {
        return new ReplaySession(options, replay, engine, index, cloud, records);
    }
}
