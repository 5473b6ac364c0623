package dev.poolkeeper.lab.replay;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where a report goes. A file is whole or as it was before: it is written beside its place and moved there. */
public final class ReportFile {

    private final Path file;

    /** @throws BadInputException if no file can be written there */
    public ReportFile(Path file) throws BadInputException {
        this.file = file;
        Path folder = folder();
        String problem = Files.isDirectory(file)
                ? "is a directory, must be a file"
                : !Files.isDirectory(folder)
                        ? "there is no folder " + folder
                        : !Files.isWritable(Files.exists(file) ? file : folder)
                                ? "cannot be written, permission denied"
                                : "";
        if (!problem.isEmpty()) {
            throw new BadInputException(new InputFault("--report", file.toString(), problem));
        }
    }

    private Path folder() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    public void write(ReplayResult result) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) { // a pipe or a device
            try (Writer out = Files.newBufferedWriter(file)) {
                ReportJson.write(result, out);
            }
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path unfinished = Files.createTempFile(folder(), ".report-", ".json");
        try {
            try (Writer out = Files.newBufferedWriter(unfinished)) {
                ReportJson.write(result, out);
            }
            move(unfinished, target);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
