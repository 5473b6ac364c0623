package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.ForeignText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The whole command line: its commands, extensible by callers, and the translation of faults into lines and exit codes.
 */
@Command(
        name = "poolkeeper",
        description = "Keeps Azure Load Balancer backend pools in step with the pods behind local Services.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            StatusCommand.class,
            CheckConfigCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        })
public final class RootCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, see poolkeeper --help");
    }

    /** Runs the daemon program's command line and returns its exit code. */
    public static int execute(String[] args, PrintStream out, PrintStream err) {
        boolean isTerminal = Ansi.AUTO.enabled();
        return execute(
                args, TerminalOutput.to(out, isTerminal), TerminalOutput.to(err, isTerminal), Elsewhere.commands());
    }

    /**
     * Runs a command line and returns its exit code.
     *
     * @param outWriter from {@link TerminalOutput}
     * @param errWriter from {@link TerminalOutput}
     * @param commands additional commands; a command replaces the built-in one with the same name
     */
    public static int execute(String[] args, PrintWriter outWriter, PrintWriter errWriter, List<CommandLine> commands) {
        CommandLine root = new CommandLine(new RootCommand());
        for (CommandLine command : commands) {
            root.getCommandSpec().removeSubcommand(command.getCommandName());
            root.addSubcommand(command);
        }
        int exitCode = root.setOut(outWriter)
                .setErr(errWriter)
                .setExecutionStrategy(RootCommand::runKnown)
                .setParameterExceptionHandler((e, ignored) -> {
                    errWriter.println("poolkeeper: " + oneLine(inWords(e)));
                    return ExitCode.BAD_INPUT;
                })
                .setExecutionExceptionHandler((e, command, result) -> failed(e, errWriter))
                .execute(args);
        if (outWriter.checkError()) {
            errWriter.println("poolkeeper: standard output: cannot be written, the disk is full or its reader is gone");
            return exitCode == ExitCode.DONE ? ExitCode.FAILED : exitCode;
        }
        return exitCode;
    }

    /** Rejects unknown arguments even if help is requested, which picocli would ignore. */
    private static int runKnown(ParseResult result) {
        for (ParseResult part = result; part != null; part = part.subcommand()) {
            boolean takesAnything = part.commandSpec().parser().unmatchedArgumentsAllowed();
            if (!takesAnything && !part.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(part.commandSpec().commandLine(), part.unmatched());
            }
        }
        return new CommandLine.RunLast().execute(result);
    }

    private static String inWords(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(e.getMessage());
        }
        boolean takesCommands = !e.getCommandLine().getSubcommands().isEmpty();
        String what = unmatched.isUnknownOption() ? "option" : takesCommands ? "command" : "argument";
        String meant = unmatched.getSuggestions().stream()
                .findFirst()
                .map(suggestion -> "; did you mean " + suggestion + "?")
                .orElse("");
        return "%s: no such %s%s See %s --help"
                .formatted(
                        unmatched.getUnmatched().getFirst(),
                        what,
                        meant.isEmpty() ? "." : meant,
                        e.getCommandLine().getCommandSpec().qualifiedName());
    }

    private static int failed(Exception e, PrintWriter err) {
        if (e instanceof BadInputException bad) {
            bad.faults().forEach(fault -> err.println("poolkeeper: " + fault));
            return ExitCode.BAD_INPUT;
        }
        if (e instanceof InterruptedException) {
            return ExitCode.INTERRUPTED;
        }
        err.println("poolkeeper: " + oneLine(inWords(e)));
        if (e instanceof RuntimeException) {
            e.printStackTrace(err);
        }
        return ExitCode.FAILED;
    }

    /** A runtime exception is a bug in the program; its class helps to find it, and its stack follows. */
    private static String inWords(Exception e) {
        if (e instanceof FileSystemException file && file.getFile() != null) {
            return file.getFile() + ": " + (file.getReason() == null ? "cannot be read or written" : file.getReason());
        }
        return e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private static String oneLine(String text) {
        return ForeignText.line(text.strip());
    }
}
