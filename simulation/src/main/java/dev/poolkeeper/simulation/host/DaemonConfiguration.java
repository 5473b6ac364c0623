package dev.poolkeeper.simulation.host;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.simulation.cluster.PolicyObjects;
import dev.poolkeeper.simulation.schedule.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The configuration of simulated daemons, read by the shipped reader: defaults where they take effect within ten
 * minutes, otherwise shorter values. Settings without a key are shortened here.
 *
 * @param text the content of its file
 * @param configuration what was read from it
 */
public record DaemonConfiguration(String text, Configuration configuration) {

    /** The resource group of all load balancers. */
    public static final String RESOURCE_GROUP = "simulation";

    /** Their subscription. */
    public static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";

    private static final String TAG = "cluster";

    /** Ticks every 5 s, listings every 40 s, comparisons every 60 s. */
    public static final DaemonConfiguration DEFAULT = read("").quickened();

    /** Enough for ordinary work, too little for the burst of requests after a start or a fault. */
    private static final String RATE_LIMITS = """
        cloudProviderRateLimit: true
        cloudProviderRateLimitQPS: 2
        cloudProviderRateLimitBucket: 10
        cloudProviderRateLimitQPSWrite: 0.5
        cloudProviderRateLimitBucketWrite: 3
        """;

    private static final Map<String, DaemonConfiguration> OTHERS = new ConcurrentHashMap<>();

    /**
     * The configuration with the seed's choices.
     *
     * @param cluster the tag of the cluster's load balancers
     * @param loadBalancers their names, including those that may be created later
     */
    public static DaemonConfiguration of(Setup setup, String cluster, List<ArmName> loadBalancers) {
        StringBuilder keys = new StringBuilder();
        if (setup.model() == UpdateModel.DIFF) {
            keys.append("updateModel: diff\n");
        }
        if (setup.gates()) {
            keys.append("readinessGate:\n  enabled: true\n");
        }
        if (setup.policies()) {
            keys.append("policyObjects: true\npolicyNamespace: " + PolicyObjects.NAMESPACE + "\n");
        }
        switch (setup.selection()) {
            case ALL -> {}
            case NAMED -> {
                keys.append("multipleStandardLoadBalancerConfigurations:\n");
                loadBalancers.forEach(name -> keys.append("- name: " + name + "\n"));
            }
            case TAGGED -> keys.append("loadBalancerTag:\n  name: " + TAG + "\n  value: " + cluster + "\n");
        }
        if (setup.limited()) {
            keys.append(RATE_LIMITS);
        }
        DaemonConfiguration drawn = OTHERS.computeIfAbsent(
                keys.toString(),
                lines -> lines.isEmpty() ? DEFAULT : read(lines).quickened());
        return setup.wary() ? drawn.with(DaemonConfiguration::wary) : drawn;
    }

    /** @param keys lines for the end of the file */
    private static DaemonConfiguration read(String keys) {
        try (InputStream in = requireNonNull(DaemonConfiguration.class.getResourceAsStream("daemon.yaml"))) {
            String usual = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String text = keys + (keys.contains("policyObjects") ? usual.replace("policyObjects: false", "") : usual);
            return new DaemonConfiguration(
                    text, ConfigurationReader.readForDaemon(new ConfigurationFile(text, false).path(), Map.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (BadInputException e) {
            throw new IllegalStateException("the configuration of simulated daemons is invalid: " + e.faults(), e);
        }
    }

    /** A fight over a pool is reached only where comparisons are closer together than the waits of its back-off. */
    private static EngineSettings wary(EngineSettings usual) {
        GuardSettings guards = usual.guards().orElseThrow();
        DriftSettings drift = guards.drift();
        return usual.withResync(Duration.ofSeconds(15))
                .withGuards(guards.withDrift(new DriftSettings(1, drift.waits(), drift.calmAfter())));
    }

    private DaemonConfiguration quickened() {
        EngineSettings usual = configuration.engine();
        GuardSettings guards = usual.guards().orElseThrow();
        EngineSettings engine = usual.withListingWaits(new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30)))
                .withGuards(new GuardSettings(
                        guards.brake(),
                        new DriftSettings(
                                3,
                                new Backoff(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                                Duration.ofSeconds(120)),
                        new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(40))));
        DaemonSettings daemon = configuration.daemon();
        ResourceLockSettings times = new ResourceLockSettings(
                Duration.ofSeconds(45), Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(30));
        DaemonSettings.LockKeys lock = new DaemonSettings.LockKeys(
                daemon.lock().leaseName(), daemon.lock().leaseNamespace(), times);
        return with(
                engine,
                new DaemonSettings(
                        daemon.kubernetes(),
                        daemon.dryRun(),
                        daemon.policies(),
                        daemon.calls(),
                        daemon.election(),
                        lock,
                        daemon.gate(),
                        daemon.admin(),
                        daemon.logFormat()));
    }

    /** A copy with changed engine settings. */
    public DaemonConfiguration with(UnaryOperator<EngineSettings> change) {
        return with(change.apply(configuration.engine()), configuration.daemon());
    }

    private DaemonConfiguration with(EngineSettings engine, DaemonSettings daemon) {
        Configuration c = configuration;
        return new DaemonConfiguration(
                text, new Configuration(engine, c.live(), c.azure(), daemon, c.values(), c.warnings()));
    }

    /** Of the text alone: each start of a daemon looks up its configuration, and the settings are many. */
    @Override
    public int hashCode() {
        return text.hashCode();
    }

    AzureConfiguration azure() {
        return requireNonNull(configuration.azure());
    }
}
