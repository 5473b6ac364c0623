package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a certificate to trust is written: a file of the user's, or a temporary one that goes when it is closed. */
final class CaFile implements AutoCloseable {

    private final @Nullable Path chosen;
    private @Nullable Path written;

    private CaFile(@Nullable Path chosen) {
        this.chosen = chosen;
    }

    /**
     * @param name as it was typed, null for a temporary file
     * @throws BadInputException if no file can be written there
     */
    static CaFile of(@Nullable String name) throws BadInputException {
        if (name == null) {
            return new CaFile(null);
        }
        Path file = FileArgument.path("--ca-file", name).toAbsolutePath();
        Path folder = file.getParent();
        String problem = Files.isDirectory(file)
                ? "is a directory, must be a file"
                : folder == null || !Files.isDirectory(folder)
                        ? "there is no folder " + folder
                        : !Files.isWritable(Files.exists(file) ? file : folder)
                                ? "cannot be written, permission denied"
                                : "";
        if (!problem.isEmpty()) {
            throw new BadInputException(new InputFault("--ca-file", name, problem));
        }
        return new CaFile(file);
    }

    /** Writes the file and returns where it is. */
    Path write(String pem) throws IOException {
        Path file = chosen;
        if (file == null) {
            file = Files.createTempFile("poolkeeper-arm-ca-", ".pem");
            file.toFile().deleteOnExit(); // an interrupt from outside ends the process without closing anything
        }
        written = file;
        return Files.writeString(file, pem);
    }

    @Override
    public void close() throws IOException {
        if (chosen == null && written != null) {
            Files.deleteIfExists(written);
        }
    }
}
