package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.DaemonRun;
import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.app.commands.LogLevelOption;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.lab.replay.BundledReplay;
import dev.poolkeeper.lab.sandbox.Sandbox;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code run}: runs the daemon until it is asked to stop, on a cluster or in a sandbox. */
@Command(
        name = "run",
        description = "Keeps the pools in step with a cluster until it is asked to stop (SIGTERM, SIGINT).",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class SandboxRunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML or JSON.")
    private @Nullable String config;

    @Mixin
    private final LogLevelOption logLevel = new LogLevelOption();

    @Option(
            names = "--sandbox",
            description = "Without Azure and Kubernetes: starts the ARM emulator and an API server emulator, plays a"
                    + " recording in a loop, and leaves both accessible to kubectl and curl.")
    private boolean sandbox;

    @Option(
            names = "--recording",
            paramLabel = "FILE",
            description = "The recording that the sandbox plays. Default: the bundled recording")
    private @Nullable String recording;

    @Option(
            names = "--inventory",
            paramLabel = "FILE",
            description = "The sandbox's initial load balancers. Default: bundled, with the bundled recording")
    private @Nullable String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "Faults to inject in the sandbox. Default: none")
    private @Nullable String faults;

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        if (sandbox == (config != null)) {
            throw new BadInputException(
                    new InputFault("run", "", "needs one of --config FILE and --sandbox, and not both"));
        }
        if (!sandbox && (recording != null || inventory != null || faults != null)) {
            throw new BadInputException(
                    new InputFault("run", "", "--recording, --inventory and --faults need --sandbox"));
        }
        DaemonRun daemon = DaemonRun.on(spec.commandLine(), logLevel);
        if (config != null) {
            return daemon.untilStopped(FileArgument.path("--config", config));
        }
        try (Sandbox started = Sandbox.start(chosenRecording(), chosenInventory(), chosenFaults())) {
            return daemon.untilStopped(
                    started.configuration(),
                    Map.of(),
                    () -> {
                        started.lines().forEach(daemon.out()::println);
                        started.play();
                    },
                    started::close);
        }
    }

    private Recording chosenRecording() throws BadInputException, IOException {
        if (recording == null) {
            return BundledReplay.recording();
        }
        Recording chosen = InputFile.recording("--recording", recording);
        chosen.check();
        return chosen;
    }

    private Inventory chosenInventory() throws BadInputException, IOException {
        if (inventory != null) {
            return InputFile.inventory("--inventory", inventory);
        }
        if (recording == null) {
            return BundledReplay.inventory();
        }
        throw new BadInputException(
                new InputFault("--inventory", "", "is missing, but required with your own recording"));
    }

    private Faults chosenFaults() throws BadInputException, IOException {
        return faults == null ? Faults.NONE : InputFile.faults("--faults", faults);
    }
}
