package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.retry.MaxRetries;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;

/**
 * How the updater works.
 *
 * @param maxRetries extra attempts after the first failed one, 0 or more; see {@link MaxRetries}
 * @param instantText how an instant is written in an event
 * @param callDeadline a call that takes longer is interrupted at a tick and its group tried again; a last resort behind
 *     the adapter's own deadlines
 */
public record UpdaterSettings(int maxRetries, Function<Instant, String> instantText, Duration callDeadline) {

    /** Where nothing is set: longer than any call that the adapter itself lets live. */
    public static final Duration DEFAULT_CALL_DEADLINE = Duration.ofMinutes(15);

    /** Three retries, instants as RFC 3339 writes them. */
    public static final UpdaterSettings DEFAULTS = new UpdaterSettings(MaxRetries.DEFAULT);

    /** @throws IllegalArgumentException if {@code maxRetries} is negative or {@code callDeadline} not positive */
    public UpdaterSettings {
        if (!callDeadline.isPositive()) {
            throw new IllegalArgumentException("callDeadline must be greater than 0, got " + callDeadline);
        }
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries must be 0 or more, got " + maxRetries);
        }
    }

    public UpdaterSettings(int maxRetries) {
        this(maxRetries, DateTimeFormatter.ISO_INSTANT::format);
    }

    public UpdaterSettings(int maxRetries, Function<Instant, String> instantText) {
        this(maxRetries, instantText, DEFAULT_CALL_DEADLINE);
    }
}
