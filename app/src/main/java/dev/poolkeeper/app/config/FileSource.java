package dev.poolkeeper.app.config;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
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
 * stay in force and {@link #trouble} reports why. Thread-safe.
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

    /**
     * Reads the files and applies changes. Returns whether the settings changed.
     *
     * <p>While something is wrong the files are read every time: the fault may be in one that the last valid settings
     * do not name.
     */
    public synchronized boolean poll() {
        List<Path> known = files.apply(current);
        List<ByteBuffer> found = contents(known); // before they are loaded: later changes are found by the next poll
        if (found.equals(seen) && trouble.isEmpty()) {
            return false;
        }
        boolean hasChanged = false;
        try {
            T loaded = loader.load();
            if (!loaded.equals(current)) {
                listener.accept(loaded);
                current = loaded;
                hasChanged = true;
                log.atInfo().addKeyValue("settings", loaded).log("Settings changed");
            } else if (trouble.isPresent()) {
                log.atInfo().log("Files are valid again");
            }
            trouble = Optional.empty();
            // what other files hold was not looked at before the load, so the next poll loads again
            seen = files.apply(current).equals(known) ? found : List.of();
        } catch (BadInputException e) {
            refused(e);
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("Settings could not be applied; the last valid settings stay in force");
            refused(new BadInputException(
                    new InputFault(known.isEmpty() ? "" : known.get(0).toString(), "", "cannot be applied: " + e), e));
        }
        return hasChanged;
    }

    private void refused(BadInputException why) {
        List<InputFault> before = trouble.map(BadInputException::faults).orElse(List.of());
        trouble = Optional.of(why);
        why.faults().stream()
                .filter(fault -> !before.contains(fault))
                .forEach(fault -> log.atWarn()
                        .addKeyValue("fault", fault)
                        .log("Changed files are invalid; the last valid settings stay in force"));
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
