package dev.poolkeeper.lab.commands;

import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output file of a CA certificate: chosen by the user, or a temporary one that is deleted on close. */
final class CaFile implements AutoCloseable {

    private final @Nullable OutputFile chosen;
    private @Nullable Path temporary;

    private CaFile(@Nullable OutputFile chosen) {
        this.chosen = chosen;
    }

    /**
     * @param name the name as typed, null for a temporary file
     * @param inputs the names of input files, null for those that are not given
     * @throws BadInputException if the file cannot be written
     */
    static CaFile of(@Nullable String name, List<@Nullable String> inputs) throws BadInputException {
        return new CaFile(name == null ? null : OutputFile.of("--ca-file", name, inputs));
    }

    /** Writes the file and returns its path. */
    Path write(String pem) throws IOException {
        if (chosen != null) {
            chosen.write(out -> out.write(pem));
            return chosen.path();
        }
        Path file = Files.createTempFile("poolkeeper-arm-ca-", ".pem");
        file.toFile().deleteOnExit(); // an external interrupt ends the process without closing anything
        temporary = file;
        return Files.writeString(file, pem);
    }

    @Override
    public void close() throws IOException {
        if (temporary != null) {
            Files.deleteIfExists(temporary);
        }
    }
}
