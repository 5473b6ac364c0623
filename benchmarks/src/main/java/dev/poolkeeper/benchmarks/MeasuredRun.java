package dev.poolkeeper.benchmarks;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import com.google.inject.util.Modules;
import dev.poolkeeper.azure.http.RemainingQuota;
import dev.poolkeeper.benchmarks.FreshnessScenario.Quota;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.LaneStarts;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplayResult;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.replay.TimedCalls;
import dev.poolkeeper.lab.wiring.ReplayModule;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.WriteQuota;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** One replay of a scenario on virtual time, with its quota, and with the resource lock if it is of the daemon. */
final class MeasuredRun {

    private final ReplayOptions options;
    private final Injector injector;
    private final ReplayResult result;

    MeasuredRun(FreshnessScenario scenario, ReplayOptions options) throws BadInputException, InterruptedException {
        this.options = options;
        this.injector = Guice.createInjector(
                Stage.PRODUCTION,
                Modules.override(new ReplayModule(options, event -> {}))
                        .with(new Measured(scenario.quota(), options.daemon().isPresent())));
        this.result = injector.getInstance(ReplaySession.class).run(played -> {});
    }

    private static final class Measured extends AbstractModule {

        private final Quota quota;
        private final boolean isLocked;

        Measured(Quota quota, boolean isLocked) {
            this.quota = quota;
            this.isLocked = isLocked;
        }

        @Provides
        @Singleton
        RemainingQuota remaining(FakeTime time) {
            return new RemainingQuota(time);
        }

        @Provides
        @Singleton
        LaneTimes times(FakeTime time) {
            return new LaneTimes(time);
        }

        @Provides
        @Singleton
        BackendPools pools(LaneStarts starts, FakeTime time, RemainingQuota remaining, LaneTimes times) {
            TimedCalls calls = (TimedCalls) starts;
            return times.noting(quota == Quota.ENDLESS ? calls : new ThrottledPools(calls, time, remaining));
        }

        @Provides
        @Singleton
        WriteQuota quota(RemainingQuota remaining) {
            return quota == Quota.REPORTED ? remaining : WriteQuota.UNKNOWN;
        }

        /** No other writer wants it. */
        @Provides
        @Singleton
        ResourceLock lock(FakeTime time, LaneTimes times) {
            return isLocked ? times.noting(new FakeResourceLock(time, List.of())) : ResourceLock.NONE;
        }
    }

    ReplayResult result() {
        return result;
    }

    LaneTimes times() {
        return injector.getInstance(LaneTimes.class);
    }

    /** @param gather how long a change waits for others */
    List<LaneUse> lanes(Duration gather) throws BadInputException, IOException {
        Map<PoolKey, NavigableSet<Instant>> held = new HashMap<>();
        injector.getInstance(FakeServiceEvents.class).emitted().stream()
                .filter(emitted -> emitted.event().reason() == ServiceEvent.Reason.HELD)
                .forEach(emitted -> held.computeIfAbsent(emitted.event().pool(), pool -> new TreeSet<>())
                        .add(emitted.at()));
        LaneUse.Known known = new LaneUse.Known(PoolChanges.of(options.input()), gather, held);
        return LaneUse.of(times(), known);
    }
}
