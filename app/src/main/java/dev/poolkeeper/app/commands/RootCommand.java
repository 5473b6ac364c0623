package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line as a whole: its commands, and how faults become lines and exit codes. */
@Command(
        name = "poolkeeper",
        description = "Keeps Azure Load Balancer backend pools in step with the pods behind local Services.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ReplayCommand.class,
            RunCommand.class,
            ArmEmulatorCommand.class,
            CheckConfigCommand.class,
            SimulateRetriesCommand.class,
            SimulateCommand.class
        })
public final class RootCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, see poolkeeper --help");
    }

    /** Runs a command line and returns its exit code. */
    public static int execute(String[] args, PrintStream out, PrintStream err) {
        PrintWriter outWriter = new PrintWriter(out, true, StandardCharsets.UTF_8);
        PrintWriter errWriter = new PrintWriter(err, true, StandardCharsets.UTF_8);
        return new CommandLine(new RootCommand())
                .setOut(outWriter)
                .setErr(errWriter)
                .setParameterExceptionHandler((e, ignored) -> {
                    errWriter.println("poolkeeper: " + oneLine(String.valueOf(e.getMessage())));
                    return ExitCode.BAD_INPUT;
                })
                .setExecutionExceptionHandler((e, command, result) -> failed(e, errWriter))
                .execute(args);
    }

    private static int failed(Exception e, PrintWriter err) {
        if (e instanceof BadInputException bad) {
            bad.faults().forEach(fault -> err.println("poolkeeper: " + fault));
            return ExitCode.BAD_INPUT;
        }
        if (e instanceof InterruptedException) {
            return ExitCode.INTERRUPTED;
        }
        err.println("poolkeeper: " + oneLine(e.toString()));
        return ExitCode.FAILED;
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
