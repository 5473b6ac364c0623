package dev.poolkeeper.app.policies;

import dev.poolkeeper.fake.input.BadInputException;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retry settings that follow their files. Whoever owns the daemon's life calls {@link #poll} now and then; it compares
 * the files' bytes, so it sees edits, replaced files and remounted volumes alike. Settings that cannot be used leave
 * the last good ones in force; {@link #trouble} tells. Thread-safe.
 */
public final class PolicySource {

    private static final Logger log = LoggerFactory.getLogger(PolicySource.class);

    private final List<Path> files;
    private final Loader loader;
    private final Consumer<RetrySettings> listener;
    private List<ByteBuffer> seen;
    private volatile RetrySettings current;
    private volatile Optional<BadInputException> trouble = Optional.empty();

    /** Reads the settings anew. */
    @FunctionalInterface
    public interface Loader {
        /** @throws BadInputException with every fault */
        RetrySettings load() throws BadInputException;
    }

    /**
     * @param files what the loader reads
     * @param listener hears of settings that differ from the ones before
     * @throws BadInputException if there are no good settings to begin with
     */
    public PolicySource(List<Path> files, Loader loader, Consumer<RetrySettings> listener) throws BadInputException {
        this.files = List.copyOf(files);
        this.loader = loader;
        this.listener = listener;
        this.seen = contents(this.files);
        this.current = loader.load();
    }

    /** The settings that hold. */
    public RetrySettings current() {
        return current;
    }

    /** Why the files as they are now are not in force; empty if they are. */
    public Optional<BadInputException> trouble() {
        return trouble;
    }

    /** Looks at the files, and takes over what changed. Returns whether other settings hold now. */
    public synchronized boolean poll() {
        List<ByteBuffer> found = contents(files);
        if (found.equals(seen)) {
            return false;
        }
        seen = found;
        try {
            RetrySettings loaded = loader.load();
            trouble = Optional.empty();
            if (loaded.equals(current)) {
                return false;
            }
            current = loaded;
            listener.accept(loaded);
            log.atInfo().addKeyValue("settings", loaded).log("Retry settings changed");
            return true;
        } catch (BadInputException e) {
            trouble = Optional.of(e);
            e.faults()
                    .forEach(fault -> log.atWarn()
                            .addKeyValue("fault", fault)
                            .log("Retry settings cannot be used, the last good ones stay in force"));
            return false;
        }
    }

    /** A file that cannot be read has no content; the loader says why. */
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
