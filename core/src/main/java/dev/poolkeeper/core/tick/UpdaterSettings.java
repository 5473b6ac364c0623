package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.retry.MaxRetries;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;

/**
 * How the updater works.
 *
 * @param maxRetries extra attempts after the first failed one, 0 or more; see {@link MaxRetries}
 * @param instantText how an instant is written in an event
 */
public record UpdaterSettings(int maxRetries, Function<Instant, String> instantText) {

    /** Three retries, instants as RFC 3339 writes them. */
    public static final UpdaterSettings DEFAULTS = new UpdaterSettings(MaxRetries.DEFAULT);

    /** @throws IllegalArgumentException if {@code maxRetries} is negative */
    public UpdaterSettings {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries must be 0 or more, got " + maxRetries);
        }
    }

    public UpdaterSettings(int maxRetries) {
        this(maxRetries, DateTimeFormatter.ISO_INSTANT::format);
    }
}
