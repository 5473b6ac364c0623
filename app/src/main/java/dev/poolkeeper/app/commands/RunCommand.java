package dev.poolkeeper.app.commands;

import dev.poolkeeper.app.daemon.CrashHandler;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.daemon.Sandbox;
import dev.poolkeeper.app.replay.BundledReplay;
import dev.poolkeeper.app.wiring.Daemons;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code run}: the daemon, until it is told to stop. */
@Command(
        name = "run",
        description = "Keeps the pools in step with a cluster until it is told to stop (SIGTERM, SIGINT).",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML or JSON.")
    private @Nullable String config;

    @Option(
            names = "--sandbox",
            description = "Without Azure and Kubernetes: starts the ARM emulator and an API server emulator, plays a"
                    + " recording into them, and leaves both open for kubectl and curl.")
    private boolean sandbox;

    @Option(
            names = "--recording",
            paramLabel = "FILE",
            description = "What the sandbox plays. Default: the bundled recording")
    private @Nullable String recording;

    @Option(
            names = "--inventory",
            paramLabel = "FILE",
            description = "The sandbox's load balancers at first. Default: bundled, with the bundled recording")
    private @Nullable String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "What goes wrong in the sandbox. Default: nothing")
    private @Nullable String faults;

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        if (sandbox == (config != null)) {
            throw new BadInputException(
                    new InputFault("run", "", "needs one of --config FILE and --sandbox, and not both"));
        }
        if (!sandbox && (recording != null || inventory != null || faults != null)) {
            throw new BadInputException(
                    new InputFault("run", "", "--recording, --inventory and --faults are the sandbox's alone"));
        }
        CrashHandler.install(spec.commandLine().getErr());
        if (config != null) {
            return run(FileArgument.path("--config", config), null);
        }
        try (Sandbox started = Sandbox.start(chosenRecording(), chosenInventory(), chosenFaults())) {
            return run(started.configuration(), started);
        }
    }

    private Recording chosenRecording() throws BadInputException {
        if (recording == null) {
            return BundledReplay.recording();
        }
        Recording chosen = Recording.of(FileArgument.path("--recording", recording));
        chosen.check();
        return chosen;
    }

    private Inventory chosenInventory() throws BadInputException, IOException {
        if (inventory != null) {
            return Inventory.read(FileArgument.path("--inventory", inventory));
        }
        if (recording == null) {
            return BundledReplay.inventory();
        }
        throw new BadInputException(
                new InputFault("--inventory", "", "is missing, must be given with a recording of your own"));
    }

    private Faults chosenFaults() throws BadInputException, IOException {
        return faults == null ? Faults.NONE : Faults.read(FileArgument.path("--faults", faults));
    }

    private int run(Path file, @Nullable Sandbox started) throws BadInputException, IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (Daemon daemon =
                Daemons.start(file, warning -> spec.commandLine().getErr().println("warning: " + warning))) {
            Thread hook = new Thread(() -> stop(daemon, started), "poolkeeper-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            out.println("status page:   http://" + daemon.address() + "/statusz");
            if (started != null) {
                started.lines().forEach(out::println);
                started.play();
            }
            out.flush();
            try {
                new CountDownLatch(1).await(); // until somebody interrupts, or the process is told to stop
            } finally {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
        return ExitCode.DONE;
    }

    private static void stop(Daemon daemon, @Nullable Sandbox started) {
        daemon.close();
        if (started != null) {
            started.close();
        }
    }
}
