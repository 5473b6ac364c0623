package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.ProgramVersion;
import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.admin.Check;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.daemon.Loops;
import dev.poolkeeper.app.daemon.Membership;
import dev.poolkeeper.app.daemon.Pages;
import dev.poolkeeper.app.daemon.Permissions;
import dev.poolkeeper.app.daemon.RetryPolicies;
import dev.poolkeeper.app.daemon.Threads;
import dev.poolkeeper.app.daemon.Workers;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.RecentHour;
import dev.poolkeeper.app.telemetry.DaemonGauges;
import dev.poolkeeper.app.telemetry.JvmGauges;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.app.telemetry.ReadinessGauges;
import dev.poolkeeper.app.telemetry.Telemetry;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.Time;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Binds the daemon's life cycle and its pages. */
final class LifeModule extends AbstractModule {

    @Provides
    @Singleton
    Watchdog watchdog(Time time) {
        return new Watchdog(time::nanoTime);
    }

    /** Makes no calls; its cost is proportional to the size of the cluster. */
    @Provides
    @Singleton
    Supplier<DaemonStatus> status(
            DaemonSettings settings,
            MachineModule.Identity identity,
            Engine engine,
            Membership membership,
            AzurePools pools,
            RetryModel retries,
            Optional<ReadinessGate> gate,
            FileSource<LiveSettings> files,
            RetryPolicies policies,
            Permissions permissions,
            ObservedTicks ticks,
            Time time,
            InstantSource clock) {
        Instant started = clock.instant();
        RecentHour hour = new RecentHour(engine::status, time);
        return () -> new DaemonStatus(
                new DaemonStatus.Program(ProgramVersion.text(), identity.holder(), started, ticks.lastSuccess()),
                engine.status(),
                membership.status(),
                new DaemonStatus.Azure(pools.gates(), pools.quota().status(), retries.status()),
                new DaemonStatus.Settings(
                        settings.dryRun(),
                        files.current(),
                        files.trouble().map(BadInputException::faults).orElse(List.of())),
                gate.map(ReadinessGate::status),
                policies.status(),
                permissions.missing(),
                hour.moments());
    }

    @Provides
    @Singleton
    AdminServer.Content pages(
            Watchdog watchdog,
            Membership membership,
            Engine engine,
            EndpointIndex view,
            Telemetry telemetry,
            Supplier<DaemonStatus> status,
            Optional<ReadinessGate> gate) {
        DaemonGauges.register(telemetry.meter(), status);
        gate.ifPresent(it -> ReadinessGauges.register(telemetry.meter(), it::status));
        JvmGauges.register(telemetry.meter());
        return new AdminServer.Content(
                watchdog::checks,
                () -> List.of(
                        Check.of(
                                "cluster-synced",
                                membership.hasSynced(),
                                "the watched objects were not all listed yet"),
                        Check.of(
                                "load-balancers-listed", engine.hasListed(), "the load balancers were not listed yet")),
                telemetry::scrape,
                status,
                view::reportNode);
    }

    @Provides
    @Singleton
    Loops loops(
            Configuration configuration,
            Engine engine,
            FileSource<LiveSettings> files,
            Optional<ReadinessGate> gate,
            Watchdog watchdog,
            Threads threads,
            Time time) {
        return new Loops(
                configuration.updateInterval(), engine, files, gate, new Loops.Machinery(watchdog, threads, time));
    }

    @Provides
    @Singleton
    Daemon daemon(
            Pages pages,
            Membership membership,
            Loops loops,
            Workers workers,
            DaemonSettings settings,
            Permissions permissions,
            Threads threads,
            Telemetry telemetry) {
        return new Daemon(
                pages,
                membership,
                loops,
                workers,
                settings.calls().shutdownGrace(),
                permissions,
                threads,
                telemetry::close);
    }
}
