package dev.poolkeeper.simulation.host;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.google.inject.AbstractModule;
import com.google.inject.Key;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.daemon.Membership;
import dev.poolkeeper.app.daemon.Pages;
import dev.poolkeeper.app.daemon.Threads;
import dev.poolkeeper.app.wiring.MachineModule;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.wire.ArmTransport;
import dev.poolkeeper.simulation.wire.KubeClientFactory;
import dev.poolkeeper.simulation.wire.Way;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Binds the daemon's environment in a simulation: the counterpart of {@link MachineModule}. Time, threads, connections
 * and disk are virtual; its pages exist and are not served.
 */
final class HostModule extends AbstractModule {

    /** The SDK would refresh an expiring token by the real clock, so this one does not expire. */
    private static final TokenCredential CREDENTIAL = request ->
            Mono.just(new AccessToken(ShippedDaemon.TOKEN, OffsetDateTime.of(9000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)));

    private final DaemonConfiguration configuration;
    private final ConfigurationFile file;
    private final VirtualProcess process;
    private final Time time;
    private final MachineModule.Identity identity;
    private final Ways ways;

    /**
     * The outgoing connections of the process, each with its own connection pool.
     *
     * @param arm to Azure Resource Manager
     * @param objects to the API server, for watches and Events
     * @param leases to the API server, for Leases
     */
    record Ways(Way arm, Way objects, Way leases) {}

    HostModule(
            DaemonConfiguration configuration,
            ConfigurationFile file,
            VirtualProcess process,
            Time time,
            MachineModule.Identity identity,
            Ways ways) {
        this.configuration = configuration;
        this.file = file;
        this.process = process;
        this.time = time;
        this.identity = identity;
        this.ways = ways;
    }

    @Override
    protected void configure() {
        bind(Key.get(Path.class, Names.named(MachineModule.CONFIGURATION))).toInstance(file.path());
        bind(Key.get(new TypeLiteral<Map<String, String>>() {}, Names.named(MachineModule.ENVIRONMENT)))
                .toInstance(Map.of());
        bind(Time.class).toInstance(time);
        bind(Threads.class).toInstance(process::unstarted);
        bind(MachineModule.Identity.class).toInstance(identity);
        bind(Pages.class).to(UnservedPages.class);
    }

    @Provides
    AzurePoolsBuilder arm() {
        return AzurePools.builder(configuration.azure().settings(), CREDENTIAL, new ArmTransport(ways.arm()), time)
                .scheduler(InPlace.SCHEDULER);
    }

    @Provides
    @Singleton
    @Named(MachineModule.OBJECTS)
    KubernetesClient objects() {
        return new KubeClientFactory(process, ways.objects(), KubernetesClients.REQUEST_TIMEOUT).client();
    }

    @Provides
    @Singleton
    @Named(MachineModule.LEASES)
    KubernetesClient leases(DaemonSettings settings) {
        return new KubeClientFactory(
                        process,
                        ways.leases(),
                        settings.election().times().renewDeadline().dividedBy(2))
                .client();
    }

    @Provides
    Membership.Connections connections(
            @Named(MachineModule.OBJECTS) KubernetesClient objects,
            @Named(MachineModule.LEASES) KubernetesClient leases) {
        return () -> {
            objects.close();
            leases.close();
        };
    }

    @Provides
    @Singleton
    UnservedPages pages(AdminServer.Content content) {
        return new UnservedPages(content);
    }
}
