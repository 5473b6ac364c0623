package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code run}: runs the daemon until it is asked to stop. */
@Command(
        name = "run",
        description = "Keeps the pools in step with a cluster until it is asked to stop (SIGTERM, SIGINT).",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML or JSON.")
    private @Nullable String config;

    @Mixin
    private final LogLevelOption logLevel = new LogLevelOption();

    /** The sandbox and its options, which only the laboratory's program supports. */
    @Option(names = "--sandbox", hidden = true)
    private boolean sandbox;

    @Option(
            names = {"--recording", "--inventory", "--faults"},
            hidden = true)
    private @Nullable List<String> files;

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        if (sandbox || files != null) {
            throw Elsewhere.fault("run --sandbox");
        }
        if (config == null) {
            throw new BadInputException(new InputFault("run", "", "needs --config FILE"));
        }
        return DaemonRun.on(spec.commandLine(), logLevel).untilStopped(FileArgument.path("--config", config));
    }
}
