package dev.poolkeeper.app.commands;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A command line that was run in this process.
 *
 * @param exitCode its exit code
 * @param out its standard output
 * @param err its standard error
 */
public record CommandLineRun(int exitCode, String out, String err) {

    /** Arguments, standard output and standard error to exit code. */
    @FunctionalInterface
    public interface Program {
        int execute(String[] args, PrintStream out, PrintStream err);
    }

    /** Runs the daemon's own command line. */
    public static CommandLineRun of(String... args) {
        return of(RootCommand::execute, args);
    }

    public static CommandLineRun of(Program program, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = program.execute(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new CommandLineRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public List<String> errLines() {
        return err.lines().toList();
    }
}
