package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Stand-ins for commands that are not part of the daemon's program; they name the program that has them. */
final class Elsewhere {

    private static final String WHERE =
            "is not in the daemon's image; it is in the image poolkeeper-lab, and in ./poolkeeper of a checkout";

    private Elsewhere() {}

    static List<CommandLine> commands() {
        return List.of("replay", "simulate", "simulate-retries", "arm-emulator", "retry-gateway", "record").stream()
                .map(Elsewhere::command)
                .toList();
    }

    /** A command that accepts any arguments and ignores them. */
    private static CommandLine command(String name) {
        Callable<Integer> answer = () -> {
            throw fault(name);
        };
        CommandSpec spec = CommandSpec.wrapWithoutInspection(answer).name(name);
        spec.parser().unmatchedArgumentsAllowed(true);
        spec.usageMessage().hidden(true);
        return new CommandLine(spec);
    }

    /** @param what the command or option that is missing here */
    static BadInputException fault(String what) {
        return new BadInputException(new InputFault(what, "", WHERE));
    }
}
