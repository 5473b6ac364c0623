package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.PolicyDefaults;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.lab.retries.ComparisonPage;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The gateway with its pages, and with routes that are reloaded from their files. Thread-safe. */
public final class RunningGateway implements AutoCloseable {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final int MOST_COMPARED = 20;

    private final FileSource<PolicyManifests> files;
    private final GatewayPages pages;
    private final RetryGateway gateway;
    private final Time time;
    private final Consumer<String> notes;
    private final long began;
    private volatile RoutingTable table;
    private volatile boolean isClosed;

    /**
     * The configuration of the gateway.
     *
     * @param routes files with manifests
     * @param backends the addresses of Services
     * @param listen the address for clients
     * @param admin the address of the metrics
     */
    public record Settings(
            List<Path> routes, List<BackendAddress> backends, InetSocketAddress listen, InetSocketAddress admin) {

        public Settings {
            routes = List.copyOf(routes);
            backends = List.copyOf(backends);
        }
    }

    private RunningGateway(Settings settings, Time time, Consumer<String> notes) throws BadInputException, IOException {
        this.time = time;
        this.began = time.nanoTime();
        Budgets budgets = new Budgets(time);
        files = new FileSource<>(
                settings.routes(),
                () -> PolicyManifests.read(settings.routes(), PolicyDefaults.GATEWAY),
                ignored -> settings.routes(),
                manifests -> follow(manifests, settings, budgets, notes));
        table = RoutingTable.of(files.current(), settings.backends(), budgets);
        this.notes = notes;
        table.notes().forEach(notes);
        table.summary().forEach(notes);
        GatewayMetrics metrics = new GatewayMetrics(budgets::status);
        gateway = RetryGateway.start(settings.listen(), () -> table, metrics, time); // it sets the servers' limits
        try {
            pages = GatewayPages.start(settings.admin(), metrics, () -> comparison(metrics));
        } catch (IOException e) {
            gateway.close();
            throw e;
        }
    }

    /**
     * Starts.
     *
     * @param notes receives a line for each route, each ignored, conflicting or unusable rule, each change and each
     *     fault
     * @throws BadInputException with every fault of the files
     * @throws IOException if an address is not local or its port is in use
     */
    public static RunningGateway start(Settings settings, Time time, Consumer<String> notes)
            throws BadInputException, IOException {
        RunningGateway running = new RunningGateway(settings, time, notes);
        running.checkLater();
        return running;
    }

    /** One at a time, because it uses the CPU for a moment. */
    private synchronized String comparison(GatewayMetrics metrics) {
        Duration since = Duration.ofNanos(time.nanoTime() - began);
        return ComparisonPage.of(
                table.forwards().stream()
                        .flatMap(to -> metrics.recorded(to.route()).stream()
                                .map(record ->
                                        new ComparisonPage.Route(to.route(), to.settings(), record.measured(since))))
                        .limit(MOST_COMPARED)
                        .toList(),
                since);
    }

    private void follow(PolicyManifests manifests, Settings settings, Budgets budgets, Consumer<String> notes) {
        RoutingTable changed = RoutingTable.of(manifests, settings.backends(), budgets);
        notes.accept("the routes have changed");
        changed.notes().forEach(notes);
        changed.summary().forEach(notes);
        table = changed;
    }

    private void checkLater() {
        time.schedule(BETWEEN_LOOKS, () -> {
            if (!isClosed) {
                checkLater(); // first: whatever a look ends with, there is a next one
                look();
            }
        });
    }

    /** Reloads changed files; if they are invalid, the last valid routes stay in force. */
    boolean look() {
        List<InputFault> before = faults();
        boolean hasChanged = files.poll();
        List<InputFault> now = faults();
        now.stream()
                .filter(fault -> !before.contains(fault))
                .forEach(fault -> notes.accept("the last valid routes stay in force: " + fault));
        if (now.isEmpty() && !before.isEmpty()) {
            notes.accept("the files are valid again");
        }
        return hasChanged;
    }

    private List<InputFault> faults() {
        return files.trouble().map(BadInputException::faults).orElse(List.of());
    }

    /** The address for clients. */
    public InetSocketAddress address() {
        return gateway.address();
    }

    /** The address of the metrics. */
    public InetSocketAddress adminAddress() {
        return pages.address();
    }

    @Override
    public void close() {
        isClosed = true;
        gateway.close();
        pages.close();
    }
}
