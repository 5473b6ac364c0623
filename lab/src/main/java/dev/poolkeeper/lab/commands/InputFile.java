package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An input file as typed; {@code -} is standard input. */
final class InputFile {

    private static final String STANDARD_INPUT = "-";
    private static final String NAME = "standard input";

    private InputFile() {}

    static boolean isStandardInput(@Nullable String name) {
        return STANDARD_INPUT.equals(name);
    }

    /** @throws BadInputException if more than one file is standard input, which can be read only once */
    static void requireOneStandardInput(@Nullable String... names) throws BadInputException {
        if (Arrays.stream(names).filter(InputFile::isStandardInput).count() > 1) {
            throw new BadInputException(new InputFault(
                    STANDARD_INPUT, "", "is used more than once, but standard input can be read only once"));
        }
    }

    /** A recording is read more than once, so standard input is copied to a temporary file. */
    static Recording recording(String option, String name) throws BadInputException, IOException {
        if (!isStandardInput(name)) {
            return Recording.of(FileArgument.path(option, name));
        }
        Path kept = Files.createTempFile("poolkeeper-recording-", ".jsonl");
        kept.toFile().deleteOnExit();
        Files.copy(System.in, kept, StandardCopyOption.REPLACE_EXISTING);
        return new Recording(NAME, () -> Files.newInputStream(kept));
    }

    static Inventory inventory(String option, String name) throws BadInputException, IOException {
        return isStandardInput(name)
                ? Inventory.read(System.in, NAME)
                : Inventory.read(FileArgument.path(option, name));
    }

    static Faults faults(String option, String name) throws BadInputException, IOException {
        return isStandardInput(name) ? Faults.read(System.in, NAME) : Faults.read(FileArgument.path(option, name));
    }
}
