package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.app.daemon.RetryPolicies;
import dev.poolkeeper.app.daemon.Threads;
import dev.poolkeeper.app.daemon.WatchedPools;
import dev.poolkeeper.app.daemon.WatchedRetries;
import dev.poolkeeper.app.daemon.Workers;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.app.telemetry.ArmTelemetry;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.app.telemetry.OperationMetrics;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineBuilder;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Time;
import io.opentelemetry.context.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds the daemon's core between Azure and the cluster; {@link MachineModule}, or a replacement, binds its
 * environment.
 */
public final class DaemonModule extends AbstractModule {

    private static final Logger log = LoggerFactory.getLogger(DaemonModule.class);

    private final Configuration configuration;
    private final AzureConfiguration azure;
    private final UnaryOperator<LogLevels> logLevels;

    /**
     * @param azure the Azure part of the configuration
     * @param logLevels adjusts the configured log levels
     */
    public DaemonModule(Configuration configuration, AzureConfiguration azure, UnaryOperator<LogLevels> logLevels) {
        this.configuration = configuration;
        this.azure = azure;
        this.logLevels = logLevels;
    }

    @Override
    protected void configure() {
        bind(Configuration.class).toInstance(configuration);
        bind(DaemonSettings.class).toInstance(configuration.daemon());
        bind(BackendPools.class).to(AzurePools.class);
        bind(PoolDirectory.class).to(AzurePools.class);
        install(new ClusterModule());
        install(new ReadinessModule());
        install(new TelemetryModule(azure.settings().scope(), azure.proxies()));
        install(new LifeModule());
    }

    @Provides
    @Singleton
    RetryModel retries(Time time) {
        return new RetryModel(configuration.live().retries(), time);
    }

    @Provides
    CallRetries inCalls(RetryModel retries) {
        return retries.calls();
    }

    @Provides
    RetryBudget acrossTicks(RetryModel retries) {
        return retries.acrossTicks();
    }

    @Provides
    @Singleton
    Workers workers(DaemonSettings settings, Threads threads, Time time) {
        return new Workers(settings.calls().concurrency(), threads, time);
    }

    /** Waits until an instant take as long as intended, even if the machine's clock is changed. */
    @Provides
    @Singleton
    InstantSource clock(Time time) {
        return time.steady();
    }

    @Provides
    @Singleton
    EndpointIndex view(InstantSource clock) {
        return new EndpointIndex(clock);
    }

    @Provides
    @Singleton
    AzurePools azurePools(
            AzurePoolsBuilder builder,
            CallRetries retries,
            EndpointIndex view,
            ArmTelemetry telemetry,
            Watchdog watchdog) {
        return builder.listener(telemetry)
                .retries(new WatchedRetries(retries, watchdog, callDeadline()))
                .nodeNames(view::nodeName)
                .build();
    }

    @Provides
    @Singleton
    Engine engine(
            EndpointIndex view,
            BackendPools pools,
            PoolDirectory directory,
            ResourceLock lock,
            ServiceEvents events,
            Consumer<Fact> facts,
            OperationMetrics metrics,
            RetryBudget budget,
            AzurePools azurePools,
            Workers workers,
            ObservedTicks ticks,
            Threads threads,
            ClusterWatcher watcher,
            Watchdog watchdog,
            Time time) {
        BackendPools watchedPools = new WatchedPools(pools, watchdog, callDeadline());
        PoolDirectory watchedDirectory = WatchedPools.directory(directory, watchdog, callDeadline());
        EngineBuilder builder = Engine.builder(view, watchedPools, watchedDirectory, time)
                .settings(configuration.engine())
                .resourceLock(lock)
                .events(events)
                .facts(facts)
                .traces(metrics::trace)
                .quota(azurePools.quota())
                .budgetAcrossTicks(budget)
                .executor(Context.taskWrapping(workers.executor())) // lanes run inside the span of their tick
                .sideBySide()
                .lister(listing ->
                        threads.unstarted("poolkeeper-listing", listing).start())
                .ticks(tick -> ticks.observe(tick).whenComplete((done, thrown) -> workers.ended(thrown)))
                .hasSynced(watcher::hasSynced);
        return configuration.daemon().dryRun()
                ? builder.dryRun(DaemonModule::logDryRun).build()
                : builder.build();
    }

    /** Within which the adapter ends each read, write and listing. */
    private Duration callDeadline() {
        return azure.settings().polls().deadline();
    }

    private static void logDryRun(Plan plan) {
        log.atInfo()
                .addKeyValue("loadBalancer", plan.pool().loadBalancer())
                .addKeyValue("pool", plan.pool().pool())
                .addKeyValue("add", plan.additions())
                .addKeyValue("remove", plan.removals())
                .log("Dry run: would write a pool");
    }

    @Provides
    @Singleton
    RetryPolicies policies(RetryModel retries, Optional<PolicyStatusWriter> statuses) {
        return new RetryPolicies(
                retries,
                configuration.live().sources(),
                standings -> statuses.ifPresent(writer -> writer.setStandings(standings)));
    }

    @Provides
    @Singleton
    FileSource<LiveSettings> files(
            @Named(MachineModule.CONFIGURATION) Path file,
            @Named(MachineModule.ENVIRONMENT) Map<String, String> environment,
            RetryPolicies policies,
            Engine engine)
            throws BadInputException {
        FileSource<LiveSettings> source = new FileSource<>(
                configuration.live().files(),
                () -> ConfigurationReader.readForDaemon(file, environment).live(),
                LiveSettings::files,
                settings -> adjust(settings, policies, engine));
        adjust(source.current(), policies, engine);
        return source;
    }

    private void adjust(LiveSettings settings, RetryPolicies policies, Engine engine) {
        Logging.adjust(logLevels.apply(settings.logLevels()));
        policies.configured(settings.sources());
        engine.pause(settings.paused());
        engine.setBrakePercent(settings.brakePercent());
        engine.agreeToRemovals(settings.agreedRemovals());
    }
}
