package dev.poolkeeper.app.config;

import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings that follow their files. The daemon calls {@link #poll} regularly; it compares the content of the files, so
 * it detects edits, replaced files and remounted volumes alike. If the new settings are invalid, the last valid ones
 * stay in force, {@link #trouble} reports why, and every poll loads them again: a file that they name for the first time
 * may be the one that is corrected. Thread-safe.
 *
 * @param <T> the settings; their text form is logged, so it shows no secret
 */
public final class FileSource<T> {

    private static final Logger log = LoggerFactory.getLogger(FileSource.class);

    private final Loader<T> loader;
    private final Function<T, List<Path>> files;
    private final Consumer<T> listener;
    private List<ByteBuffer> seen;
    private volatile T current;
    private volatile Optional<BadInputException> trouble = Optional.empty();

    /** Reads the settings again. */
    @FunctionalInterface
    public interface Loader<T> {
        /** @throws BadInputException with every fault */
        T load() throws BadInputException;
    }

    /**
     * @param first the files that the loader is going to read at first, as far as they are known
     * @param files the files that the loader read for these settings
     * @param listener called with settings that differ from the previous ones
     * @throws BadInputException if the initial settings are invalid
     */
    public FileSource(List<Path> first, Loader<T> loader, Function<T, List<Path>> files, Consumer<T> listener)
            throws BadInputException {
        this.loader = loader;
        this.files = files;
        this.listener = listener;
        this.seen = contents(first); // before they are loaded: later changes are found by the next poll
        this.current = loader.load();
    }

    /** The settings in force. */
    public T current() {
        return current;
    }

    /** Why the current files are not in force; empty if they are. */
    public Optional<BadInputException> trouble() {
        return trouble;
    }

    /** Reads the files and applies changes. Returns whether the settings changed. */
    public synchronized boolean poll() {
        List<ByteBuffer> found = contents(files.apply(current));
        if (found.equals(seen) && trouble.isEmpty()) {
            return false;
        }
        seen = found;
        try {
            T loaded = loader.load();
            recovered();
            if (loaded.equals(current)) {
                return false;
            }
            if (!files.apply(loaded).equals(files.apply(current))) {
                seen = List.of(); // the next poll loads them again: they may have changed since they were read
            }
            current = loaded;
            listener.accept(loaded);
            log.atInfo().addKeyValue("settings", loaded).log("Settings changed");
            return true;
        } catch (BadInputException e) {
            boolean isNews = trouble.map(BadInputException::faults)
                    .filter(e.faults()::equals)
                    .isEmpty();
            trouble = Optional.of(e);
            if (isNews) {
                e.faults()
                        .forEach(fault -> log.atWarn()
                                .addKeyValue("fault", fault)
                                .log("Changed files are invalid; the last valid settings stay in force"));
            }
            return false;
        }
    }

    private void recovered() {
        if (trouble.isPresent()) {
            log.atInfo().log("Files are valid again");
        }
        trouble = Optional.empty();
    }

    /** An unreadable file has no content; the loader reports why. */
    private static List<ByteBuffer> contents(List<Path> files) {
        List<ByteBuffer> contents = new ArrayList<>();
        for (Path file : files) {
            try {
                contents.add(ByteBuffer.wrap(Files.readAllBytes(file)));
            } catch (IOException e) {
                contents.add(ByteBuffer.allocate(0));
            }
        }
        return contents;
    }
}
