package dev.poolkeeper.simulation.host;

import com.google.inject.Binding;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.spi.Element;
import com.google.inject.spi.Elements;
import com.google.inject.util.Modules;
import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.telemetry.Telemetry;
import dev.poolkeeper.app.wiring.DaemonModule;
import dev.poolkeeper.app.wiring.MachineModule;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.wire.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The daemon as shipped, wired by its own modules, in a virtual process: only its environment is replaced, and timings
 * that would exceed a run are shortened. It must run {@link InPlace}.
 */
public final class ShippedDaemon {

    /** A token that it sends only to Azure. */
    public static final String TOKEN = "token-of-the-simulation-5f1c";

    /** Lists in small pages, and detects silent watches soon. */
    private static final WatchSettings WATCHES = new WatchSettings(
            8, Duration.ofSeconds(50), Duration.ofSeconds(180), Duration.ofMillis(800), Duration.ofSeconds(30));

    /** Enough for the clusters of one run, and for the next run if it is configured alike. */
    private static final int KEPT = 4;

    /**
     * What the shipped modules bind, by configuration: looking for it takes longer than making a daemon of it. Each
     * keeps the last run that used it in memory.
     */
    private static final Map<DaemonConfiguration, Module> SHIPPED =
            Collections.synchronizedMap(new LinkedHashMap<>(KEPT, 1, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<DaemonConfiguration, Module> eldest) {
                    return size() > KEPT;
                }
            });

    private final VirtualProcess process;
    private final Injector injector;
    private final Daemon daemon;

    /** Queried after every event. */
    private final Optional<LeaderElection> election;

    private final Engine engine;
    private final InstantSource clock;

    /**
     * @param file its file, which an operator may edit
     * @param identity its identity as a Lease holder; another process may use it too
     * @param time its machine's time, the only one it uses
     * @param arm its connection to Azure Resource Manager
     * @param objects its connection to the API server, for watches and Events
     * @param leases its connection to the API server, for Leases
     * @param changes bindings that replace shipped ones
     */
    public ShippedDaemon(
            DaemonConfiguration configuration,
            ConfigurationFile file,
            VirtualProcess process,
            String identity,
            Time time,
            Way arm,
            Way objects,
            Way leases,
            Module changes) {
        this.process = process;
        Module replacements = Modules.combine(
                binder -> {
                    binder.bind(WatchSettings.class).toInstance(WATCHES);
                    binder.bind(Telemetry.class).toInstance(Telemetry.unread());
                },
                changes);
        Module shipped = SHIPPED.computeIfAbsent(configuration, drawn -> without(keys(replacements), drawn));
        Module host = new HostModule(
                configuration,
                file,
                process,
                time,
                new MachineModule.Identity(identity, identity),
                new HostModule.Ways(arm, objects, leases));
        this.injector = Guice.createInjector(Stage.PRODUCTION, shipped, host, replacements);
        this.daemon = injector.getInstance(Daemon.class);
        this.election = injector.getInstance(Key.get(new TypeLiteral<Optional<LeaderElection>>() {}));
        this.engine = injector.getInstance(Engine.class);
        this.clock = injector.getInstance(InstantSource.class);
    }

    /** The keys that a module binds: the same for every process. */
    private static Set<Key<?>> keys(Module module) {
        Set<Key<?>> keys = new HashSet<>();
        Elements.getElements(Stage.PRODUCTION, module)
                .forEach(element -> key(element).ifPresent(keys::add));
        return keys;
    }

    private static Optional<Key<?>> key(Element element) {
        return element instanceof Binding<?> binding ? Optional.of(binding.getKey()) : Optional.empty();
    }

    /** The shipped modules without the bindings that are replaced. */
    private static Module without(Set<Key<?>> replaced, DaemonConfiguration configuration) {
        Module shipped = new DaemonModule(configuration.configuration(), configuration.azure(), levels -> levels);
        return Elements.getModule(Elements.getElements(Stage.PRODUCTION, shipped).stream()
                .filter(element -> key(element).filter(replaced::contains).isEmpty())
                .toList());
    }

    /** Starts it as {@code poolkeeper run} does. */
    public void start() {
        process.start(() -> {
            try {
                daemon.start();
            } catch (BadInputException | IOException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        });
    }

    /** Stops it as SIGTERM does. */
    public void stop(Runnable onStopped) {
        process.start(() -> {
            daemon.close();
            onStopped.run();
        });
    }

    public VirtualProcess process() {
        return process;
    }

    /** Whether its leader election reports that it leads. */
    public boolean isLeader() {
        return process.isAlive() && election.filter(LeaderElection::isLeader).isPresent();
    }

    /** The clock that its engine uses. */
    public InstantSource clock() {
        return clock;
    }

    /** The root of everything that runs. */
    public Daemon daemon() {
        return daemon;
    }

    public Engine engine() {
        return engine;
    }

    /** One of its parts. */
    public <T> T instance(Class<T> type) {
        return injector.getInstance(type);
    }

    /** The content of its pages. */
    public AdminServer.Content pages() {
        return injector.getInstance(AdminServer.Content.class);
    }
}
