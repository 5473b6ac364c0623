package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An output file named by an option. A regular file is replaced atomically: it is written to a temporary file in the
 * same folder and renamed; if the path is a link, its target is replaced, not the link. A device or a pipe is written
 * directly.
 */
final class OutputFile {

    private static final int LONGEST_CHAIN = 40;

    private final Path file;
    private final Path target;

    private OutputFile(Path file, Path target) {
        this.file = file;
        this.target = target;
    }

    /** Writes the content of the file. */
    @FunctionalInterface
    interface Content {
        void write(Writer out) throws IOException;
    }

    /**
     * Checks the file without writing anything.
     *
     * @param option the option that names it
     * @param name the name as typed
     * @param inputs the names of input files, null for those that are not given; none of them is overwritten
     * @throws BadInputException if the file cannot be written
     */
    static OutputFile of(String option, String name, List<@Nullable String> inputs) throws BadInputException {
        Path file = FileArgument.path(option, name);
        for (String input : inputs) {
            if (input != null && isSame(file, input)) {
                throw fault(option, name, "must not be the input file " + input);
            }
        }
        Path target = target(file);
        Path folder = folder(target);
        if (Files.isDirectory(target)) {
            throw fault(option, name, "must be a file, but is a directory");
        }
        if (!Files.isDirectory(folder)) {
            throw fault(option, name, "must be in an existing folder; there is no " + folder);
        }
        boolean isWritable = isSpecial(target)
                ? Files.isWritable(target)
                : Files.isWritable(folder) && (!Files.exists(target) || Files.isWritable(target));
        if (!isWritable) {
            throw fault(option, name, "must be a writable file; permission denied");
        }
        return new OutputFile(file, target);
    }

    private static BadInputException fault(String option, String name, String allowed) {
        return new BadInputException(new InputFault(option, "", "found \"" + name + "\", " + allowed));
    }

    private static boolean isSame(Path file, String input) {
        try {
            Path other = Path.of(input);
            return Files.exists(file) && Files.exists(other) && Files.isSameFile(file, other);
        } catch (IOException | IllegalArgumentException e) {
            return false; // reading the input will report what is wrong with it
        }
    }

    /** The final target of a chain of links, existing or not. */
    private static Path target(Path file) throws BadInputException {
        Path target = file.toAbsolutePath();
        for (int i = 0; i < LONGEST_CHAIN && Files.isSymbolicLink(target); i++) {
            try {
                target = target.resolveSibling(Files.readSymbolicLink(target));
            } catch (IOException e) {
                return target;
            }
        }
        return target;
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    /** Whether it exists and is not a regular file. */
    private static boolean isSpecial(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file);
    }

    /** The absolute path of the file. */
    Path path() {
        return file.toAbsolutePath();
    }

    /** @throws IOException with the name of the file and the reason */
    void write(Content content) throws IOException {
        try {
            if (isSpecial(target)) {
                writeTo(target, content);
            } else {
                replace(content);
            }
        } catch (FileSystemException e) {
            throw new IOException(
                    file + ": cannot be written: " + (e.getReason() == null ? "failed" : e.getReason()), e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
    }

    private void replace(Content content) throws IOException {
        Path unfinished = Files.createFile(folder(target)
                .resolve("." + target.getFileName() + "."
                        + ProcessHandle.current().pid() + ".tmp"));
        try {
            writeTo(unfinished, content);
            keepPermissions(unfinished);
            move(unfinished, target);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void writeTo(Path file, Content content) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            content.write(out);
        }
    }

    private void keepPermissions(Path unfinished) throws IOException {
        PosixFileAttributeView before = Files.getFileAttributeView(target, PosixFileAttributeView.class);
        if (before != null && Files.exists(target)) {
            Files.setPosixFilePermissions(unfinished, before.readAttributes().permissions());
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
