package dev.poolkeeper.app.config;

import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * What of the configuration takes effect in a running daemon.
 *
 * @param sources from where it is known when calls are retried, and how many retries there may be together
 * @param paused whether no write starts
 * @param agreedRemoval the id of the braked removal that an operator agrees to; null: none
 * @param logLevels what is logged
 * @param files what was read for it: the configuration and its manifests
 */
public record LiveSettings(
        RetrySources sources, boolean paused, @Nullable String agreedRemoval, LogLevels logLevels, List<Path> files) {

    public LiveSettings {
        files = List.copyOf(files);
    }

    /** How calls are retried where the cluster has no policies. */
    public RetrySettings retries() {
        return sources.settings();
    }

    /**
     * What is logged.
     *
     * @param level the least level of our own loggers: ERROR, WARN, INFO or DEBUG
     * @param loggers the levels of single loggers, by name
     */
    public record LogLevels(Level level, Map<String, Level> loggers) {

        /** What a configuration that says nothing sets. */
        public static final LogLevels DEFAULT = new LogLevels(Level.INFO, Map.of());

        public LogLevels {
            loggers = Map.copyOf(loggers);
        }

        /** The same loggers, with another level for the rest. */
        public LogLevels withLevel(Level other) {
            return new LogLevels(other, loggers);
        }
    }
}
