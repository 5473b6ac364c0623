package dev.poolkeeper.lab.commands;

import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a certificate to trust is written: a file of the user's, or a temporary one that goes when it is closed. */
final class CaFile implements AutoCloseable {

    private final @Nullable OutputFile chosen;
    private @Nullable Path temporary;

    private CaFile(@Nullable OutputFile chosen) {
        this.chosen = chosen;
    }

    /**
     * @param name as it was typed, null for a temporary file
     * @param inputs the names of files that are read, some of which may not be given
     * @throws BadInputException if no file can be written there
     */
    static CaFile of(@Nullable String name, List<@Nullable String> inputs) throws BadInputException {
        return new CaFile(name == null ? null : OutputFile.of("--ca-file", name, inputs));
    }

    /** Writes the file and returns where it is. */
    Path write(String pem) throws IOException {
        if (chosen != null) {
            chosen.write(out -> out.write(pem));
            return chosen.path();
        }
        Path file = Files.createTempFile("poolkeeper-arm-ca-", ".pem");
        file.toFile().deleteOnExit(); // an interrupt from outside ends the process without closing anything
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
