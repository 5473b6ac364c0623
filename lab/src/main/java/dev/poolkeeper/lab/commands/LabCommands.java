package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.RootCommand;
import dev.poolkeeper.app.commands.TerminalOutput;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** The daemon's command line extended by replays, simulations, the emulators and the sandbox. */
public final class LabCommands {

    private LabCommands() {}

    /** Runs a command line with this process's streams and returns its exit code. */
    public static int executeHere(String[] args) {
        return execute(args, System.out, System.err, Terminal.ofProcess());
    }

    /** Runs a command line whose streams are not terminals and returns its exit code. */
    public static int execute(String[] args, PrintStream out, PrintStream err) {
        return execute(args, out, err, Terminal.NONE);
    }

    static int execute(String[] args, PrintStream out, PrintStream err, Terminal terminal) {
        return RootCommand.execute(
                args, TerminalOutput.to(out, terminal.out()), TerminalOutput.to(err, terminal.err()), all(terminal));
    }

    static List<CommandLine> all(Terminal terminal) {
        return List.of(
                new CommandLine(new ReplayCommand(terminal)),
                new CommandLine(new SandboxRunCommand()),
                new CommandLine(new ArmEmulatorCommand()),
                new CommandLine(new SimulateRetriesCommand(terminal)),
                new CommandLine(new RetryGatewayCommand()),
                new CommandLine(new SimulateCommand(terminal)),
                new CommandLine(new RecordCommand()));
    }
}
