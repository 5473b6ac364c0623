package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.app.wiring.Daemons;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.lab.record.ClusterRecorder;
import dev.poolkeeper.lab.record.RecordedInventory;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code record}: records a live cluster and its load balancers for {@code replay}. */
@Command(
        name = "record",
        description = "Records Services, EndpointSlices and Nodes of a cluster as a recording, and its load balancers"
            + " as an inventory, both for replay. Read-only. Of each object only the fields that the updater uses are"
            + " written: no annotations, no labels except those that exclude nodes, no ids, no tags.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RecordCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE_WITH_ERRORS = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The daemon's configuration, which names the cluster and the load balancers.")
    private String config = "";

    @Option(names = "--recording", paramLabel = "FILE", required = true, description = "Output file for the recording.")
    private String recording = "";

    @Option(names = "--inventory", paramLabel = "FILE", required = true, description = "Output file for the inventory.")
    private String inventory = "";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long to record; 0: only the current state. Default: until interrupted")
    private long seconds = -1;

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        if (spec.commandLine().getParseResult().hasMatchedOption("--seconds") && seconds < 0) {
            throw new BadInputException(new InputFault("--seconds", "", "found " + seconds + ", must be 0 or more"));
        }
        Configuration configuration = check();
        AzureConfiguration azure = Objects.requireNonNull(configuration.azure());
        OutputFile inventoryFile = OutputFile.of("--inventory", inventory, List.of(config));
        OutputFile recordingFile = OutputFile.of("--recording", recording, List.of(config, inventory));
        PrintWriter out = spec.commandLine().getOut();
        try (SystemTime time = new SystemTime();
                KubernetesClient client = KubernetesClients.forObjects(
                        configuration.daemon().kubernetes().apiServer(System.getenv(), time))) {
            List<BackendPool> pools = pools(azure, time);
            inventoryFile.write(file -> RecordedInventory.write(pools, file));
            out.printf("%s: %s pools%n", inventory, pools.size());
            out.flush();
            try (Writer file = Files.newBufferedWriter(recordingFile.path())) {
                ClusterRecorder recorder = new ClusterRecorder(file, time);
                try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, recorder)) {
                    watcher.start();
                    if (!awaitSync(watcher, time)) {
                        Files.delete(recordingFile.path()); // an empty recording is none
                        throw new IOException("the cluster cannot be read: " + why(watcher));
                    }
                    out.printf("%s: %s initial events; recording%n", recording, recorder.events());
                    out.flush();
                    record(recorder, time);
                }
                out.printf("%s: %s events%n", recording, recorder.events());
            }
        }
        return ExitCode.DONE;
    }

    /** The libraries log what they refuse before they throw it, and we report it in one line. */
    private Configuration check() throws BadInputException {
        try (Logging.Silence unused = Logging.silence()) {
            return Daemons.check(FileArgument.path("--config", config));
        }
    }

    /** Until the time is over, or an event cannot be written. */
    private void record(ClusterRecorder recorder, SystemTime time) throws IOException, InterruptedException {
        long left = seconds < 0 ? Duration.ofDays(365).toSeconds() : seconds;
        while (left > 0 && recorder.failure().isEmpty()) {
            time.sleep(Duration.ofSeconds(1));
            left--;
        }
        if (recorder.failure().isPresent()) {
            throw new IOException(
                    recording + " is incomplete: " + recorder.failure().get().getMessage());
        }
    }

    private static List<BackendPool> pools(AzureConfiguration azure, SystemTime time) throws IOException {
        try (Logging.Silence unused = Logging.silence()) { // the SDK logs each failure before it returns it
            return switch (azure.pools(time).build().list()) {
                case Reply.Ok<List<BackendPool>>(List<BackendPool> pools) -> pools;
                case Reply.Failed<List<BackendPool>> failed ->
                    throw new IOException("the load balancers cannot be listed: "
                            + failed.failure().describe());
            };
        }
    }

    /** False if requests still fail after some seconds, or there is no response for a minute. */
    private static boolean awaitSync(ClusterWatcher watcher, SystemTime time) throws InterruptedException {
        long began = time.nanoTime();
        while (!watcher.hasSynced()) {
            Duration patience = lastError(watcher).isPresent() ? PATIENCE_WITH_ERRORS : PATIENCE;
            if (time.nanoTime() - began > patience.toNanos()) {
                return false;
            }
            time.sleep(BETWEEN_LOOKS);
        }
        return true;
    }

    private static String why(ClusterWatcher watcher) {
        return lastError(watcher).orElse("no response within " + PATIENCE.toSeconds() + " s");
    }

    private static Optional<String> lastError(ClusterWatcher watcher) {
        return watcher.statuses().stream()
                .map(WatchStatus::lastError)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
