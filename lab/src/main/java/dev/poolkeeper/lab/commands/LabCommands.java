package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.RootCommand;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;

/** The daemon's command line with all that is not the daemon: replays, simulations, the emulators and the sandbox. */
public final class LabCommands {

    private LabCommands() {}

    /** Runs a command line and returns its exit code. */
    public static int execute(String[] args, PrintStream out, PrintStream err) {
        return RootCommand.execute(args, out, err, all());
    }

    static List<CommandLine> all() {
        return List.of(
                new CommandLine(new ReplayCommand()),
                new CommandLine(new SandboxRunCommand()),
                new CommandLine(new ArmEmulatorCommand()),
                new CommandLine(new SimulateRetriesCommand()),
                new CommandLine(new RetryGatewayCommand()),
                new CommandLine(new SimulateCommand()),
                new CommandLine(new RecordCommand()));
    }
}
