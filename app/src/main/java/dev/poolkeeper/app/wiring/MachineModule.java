package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Key;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.daemon.AdminPages;
import dev.poolkeeper.app.daemon.Membership;
import dev.poolkeeper.app.daemon.Pages;
import dev.poolkeeper.app.daemon.Threads;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.lease.HolderIdentity;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * Binds the daemon's environment: time, randomness, threads, connections, identity and file. Everything else is bound
 * by {@link DaemonModule}, independent of the environment.
 */
public final class MachineModule extends AbstractModule {

    /** The name of the file that the configuration was read from. */
    public static final String CONFIGURATION = "configuration";

    /** The name of the environment's variables. */
    public static final String ENVIRONMENT = "environment";

    /** The name of the client for watches and Events. */
    public static final String OBJECTS = "objects";

    /** The name of the client for Leases. */
    public static final String LEASES = "leases";

    private final AzureConfiguration azure;
    private final Path file;
    private final Map<String, String> environment;

    /**
     * @param azure the address of ARM and our identity there
     * @param file the file that the configuration was read from
     * @param environment the environment's variables
     */
    public MachineModule(AzureConfiguration azure, Path file, Map<String, String> environment) {
        this.azure = azure;
        this.file = file;
        this.environment = environment;
    }

    /**
     * Our identity for Leases and Events.
     *
     * @param host the name of the machine or pod
     * @param holder an identity that no other process has
     */
    public record Identity(String host, String holder) {}

    @Override
    protected void configure() {
        bind(Key.get(Path.class, Names.named(CONFIGURATION))).toInstance(file);
        bind(Key.get(new TypeLiteral<Map<String, String>>() {}, Names.named(ENVIRONMENT)))
                .toInstance(environment);
        bind(Threads.class).toInstance(Threads.PLATFORM);
        bind(Time.class).to(SystemTime.class);
    }

    @Provides
    @Singleton
    SystemTime time() {
        return new SystemTime();
    }

    @Provides
    @Singleton
    Identity identity(DaemonSettings settings) {
        String podName = settings.kubernetes().podName();
        String host = podName == null ? hostName() : podName;
        return new Identity(host, HolderIdentity.of(host, UUID.randomUUID()));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "poolkeeper";
        }
    }

    @Provides
    AzurePoolsBuilder arm(Time time) throws BadInputException {
        return Daemons.pools(azure, file, environment, time);
    }

    @Provides
    @Singleton
    ApiServer apiServer(DaemonSettings settings, Time time) throws BadInputException {
        return settings.kubernetes().apiServer(environment, time);
    }

    @Provides
    @Singleton
    @Named(OBJECTS)
    KubernetesClient objects(ApiServer server) {
        return KubernetesClients.forObjects(server);
    }

    @Provides
    @Singleton
    @Named(LEASES)
    KubernetesClient leases(ApiServer server, DaemonSettings settings) {
        return KubernetesClients.forLeases(server, settings.election().times().renewDeadline());
    }

    @Provides
    Membership.Connections connections(
            SystemTime time, @Named(OBJECTS) KubernetesClient objects, @Named(LEASES) KubernetesClient leases) {
        return () -> {
            time.close();
            objects.close();
            leases.close();
        };
    }

    @Provides
    @Singleton
    Pages pages(DaemonSettings settings, AdminServer.Content content) {
        return new AdminPages(settings.admin(), content);
    }
}
