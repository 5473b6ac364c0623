package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line as a whole: its commands, to which others add their own, and how faults become lines and exit codes.
 */
@Command(
        name = "poolkeeper",
        description = "Keeps Azure Load Balancer backend pools in step with the pods behind local Services.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunCommand.class, CheckConfigCommand.class})
public final class RootCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, see poolkeeper --help");
    }

    /** Runs a command line of the daemon's program and returns its exit code. */
    public static int execute(String[] args, PrintStream out, PrintStream err) {
        return execute(args, out, err, Elsewhere.commands());
    }

    /**
     * Runs a command line and returns its exit code.
     *
     * @param commands more commands; one that has the name of another replaces it
     */
    public static int execute(String[] args, PrintStream out, PrintStream err, List<CommandLine> commands) {
        PrintWriter outWriter = new PrintWriter(out, true, StandardCharsets.UTF_8);
        PrintWriter errWriter = new PrintWriter(err, true, StandardCharsets.UTF_8);
        CommandLine root = new CommandLine(new RootCommand());
        for (CommandLine command : commands) {
            root.getCommandSpec().removeSubcommand(command.getCommandName());
            root.addSubcommand(command);
        }
        return root.setOut(outWriter)
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
