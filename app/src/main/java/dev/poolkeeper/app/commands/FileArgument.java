package dev.poolkeeper.app.commands;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file name from the command line. */
public final class FileArgument {

    private FileArgument() {}

    /** @throws BadInputException if it is not a valid file name */
    public static Path path(String option, String name) throws BadInputException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new BadInputException(
                    new InputFault(option, "", "found \"" + name + "\", must be the name of a file"), e);
        }
    }
}
