package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The sandbox's options of {@code run}, which the daemon's program does not support. */
final class SandboxElsewhere {

    @Option(names = "--sandbox", hidden = true)
    private boolean sandbox;

    @Option(
            names = {"--recording", "--inventory", "--faults"},
            hidden = true)
    private @Nullable List<String> files;

    /** @throws BadInputException if any of them is given */
    void refuse() throws BadInputException {
        if (sandbox || files != null) {
            throw Elsewhere.fault("run --sandbox");
        }
    }
}
