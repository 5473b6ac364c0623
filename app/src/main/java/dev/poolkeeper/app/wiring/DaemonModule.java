package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.daemon.Workers;
import dev.poolkeeper.app.telemetry.ArmTelemetry;
import dev.poolkeeper.app.telemetry.ObservedGroups;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.DryRunPools;
import dev.poolkeeper.core.keeper.KeeperPorts;
import dev.poolkeeper.core.keeper.KeeperSettings;
import dev.poolkeeper.core.keeper.LeadersRetries;
import dev.poolkeeper.core.keeper.PoolKeeper;
import dev.poolkeeper.core.keeper.SteadyClock;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.core.tick.Lanes;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.UpdaterMetrics;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's core between Azure and the cluster. */
public final class DaemonModule extends AbstractModule {

    private static final Logger log = LoggerFactory.getLogger(DaemonModule.class);

    private final Configuration configuration;
    private final AzureConfiguration azure;
    private final Path file;

    /**
     * @param azure that of the configuration
     * @param file where the configuration was read
     */
    public DaemonModule(Configuration configuration, AzureConfiguration azure, Path file) {
        this.configuration = configuration;
        this.azure = azure;
        this.file = file;
    }

    @Override
    protected void configure() {
        bind(Configuration.class).toInstance(configuration);
        bind(DaemonSettings.class).toInstance(configuration.daemon());
        bind(InstantSource.class).toInstance(new SteadyClock(InstantSource.system(), System::nanoTime));
        bind(PoolDirectory.class).to(AzurePools.class);
        install(new ClusterModule());
        install(new TelemetryModule(azure.settings().scope()));
        install(new LifeModule(azure));
    }

    @Provides
    @Singleton
    RetryModel retries() {
        return new RetryModel(configuration.retries(), System::nanoTime, DaemonModule::draw);
    }

    private static double draw() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Provides
    @Singleton
    Workers workers(DaemonSettings settings) {
        return new Workers(settings.concurrency());
    }

    @Provides
    @Singleton
    AzurePools azurePools(
            RetryModel retries,
            Leadership leadership,
            Provider<PoolKeeper> keeper,
            ArmTelemetry telemetry,
            SystemTime time) {
        return azure.pools(time)
                .listener(telemetry)
                .retries(new LeadersRetries(retries.calls(), leadership::isLeader))
                .nodeNames(address -> keeper.get().nodeName(address))
                .build();
    }

    @Provides
    @Singleton
    KeeperSettings settings(DaemonSettings daemon) {
        KeeperSettings defaults = KeeperSettings.DEFAULT;
        return new KeeperSettings(
                new UpdaterSettings(configuration.maxRetries()),
                configuration.model(),
                daemon.directoryRefresh(),
                defaults.waits(),
                daemon.resync(),
                new BrakeSettings(
                        daemon.brake().percent(),
                        daemon.brake().minAddresses(),
                        daemon.brake().hold()),
                defaults.drift(),
                defaults.forbiddenWaits());
    }

    /** Each load balancer has one reconcile lock, in every term as leader the same. */
    @Provides
    @Singleton
    PoolKeeper keeper(
            KeeperSettings settings,
            PoolDirectory directory,
            UpdaterPorts ports,
            TelemetryModule.LaneThreads threads,
            Leadership leadership,
            InstantSource clock) {
        Map<ArmName, Lock> locks = new ConcurrentHashMap<>();
        return new PoolKeeper(
                settings,
                new KeeperPorts(
                        directory,
                        ports,
                        () -> Lanes.sideBySide(
                                name -> locks.computeIfAbsent(name, key -> new ReentrantLock()), threads.executor()),
                        leadership::hasSynced,
                        leadership::isLeader),
                clock,
                DaemonModule::draw);
    }

    @Provides
    @Singleton
    UpdaterPorts ports(
            ObservedGroups pools,
            ResourceLock lock,
            ServiceEvents events,
            UpdaterMetrics metrics,
            RetryModel retries,
            DaemonSettings daemon) {
        return new UpdaterPorts(
                daemon.dryRun() ? new DryRunPools(pools, DaemonModule::tell) : pools,
                lock,
                events,
                daemon.dryRun() ? UpdaterMetrics.NONE : metrics,
                retries.budget());
    }

    private static void tell(DryRunPools.WouldWrite write) {
        log.atInfo()
                .addKeyValue("loadBalancer", write.pool().loadBalancer())
                .addKeyValue("pool", write.pool().pool())
                .addKeyValue("add", write.add())
                .addKeyValue("remove", write.remove())
                .log("Dry run: would write a pool");
    }

    @Provides
    @Singleton
    FileSource<LiveSettings> files(RetryModel retries, Provider<PoolKeeper> keeper) throws BadInputException {
        FileSource<LiveSettings> source = new FileSource<>(
                () -> LiveSettings.of(ConfigurationReader.read(file), file),
                LiveSettings::files,
                settings -> adjust(settings, retries, keeper.get()));
        adjust(source.current(), retries, keeper.get());
        return source;
    }

    private static void adjust(LiveSettings settings, RetryModel retries, PoolKeeper keeper) {
        retries.adjust(settings.retries());
        keeper.pause(settings.paused());
        keeper.agreeToRemoval(settings.agreedRemoval());
    }
}
