package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Answers for the commands that the daemon's program does not have, with where they are. */
final class Elsewhere {

    private static final String WHERE =
            "is not in the daemon's image; it is in the image poolkeeper-lab, and in ./poolkeeper of a checkout";

    private Elsewhere() {}

    static List<CommandLine> commands() {
        return List.of("replay", "simulate", "simulate-retries", "arm-emulator", "retry-gateway", "record").stream()
                .map(Elsewhere::command)
                .toList();
    }

    /** A command that takes any arguments, and does nothing with them. */
    private static CommandLine command(String name) {
        Callable<Integer> answer = () -> {
            throw fault(name);
        };
        CommandSpec spec = CommandSpec.wrapWithoutInspection(answer).name(name);
        spec.parser().unmatchedArgumentsAllowed(true);
        spec.usageMessage().hidden(true);
        return new CommandLine(spec);
    }

    /** @param what the command or option that is not here */
    static BadInputException fault(String what) {
        return new BadInputException(new InputFault(what, "", WHERE));
    }
}
