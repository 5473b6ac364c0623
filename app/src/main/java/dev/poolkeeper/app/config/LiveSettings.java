package dev.poolkeeper.app.config;

import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.event.Level;

/**
 * The settings that can change in a running daemon.
 *
 * @param sources the retry policy and the retry budget
 * @param paused whether new writes are stopped
 * @param brakePercent the share of all addresses that the safety brake lets go
 * @param agreedRemovals the ids of the removals held by the safety brake that an operator approved; {@code all} for all
 * @param logLevels the log levels
 * @param files the files read for these settings: the configuration and its manifests
 */
public record LiveSettings(
        RetrySources sources,
        boolean paused,
        int brakePercent,
        Set<String> agreedRemovals,
        LogLevels logLevels,
        List<Path> files) {

    public LiveSettings {
        agreedRemovals = Set.copyOf(agreedRemovals);
        files = List.copyOf(files);
    }

    /** The retry settings without the cluster's policies. */
    public RetrySettings retries() {
        return sources.settings();
    }

    /**
     * The log levels.
     *
     * @param level the lowest level of our own loggers: ERROR, WARN, INFO or DEBUG
     * @param loggers the levels of individual loggers, by name
     */
    public record LogLevels(Level level, Map<String, Level> loggers) {

        /** The defaults. */
        public static final LogLevels DEFAULT = new LogLevels(Level.INFO, Map.of());

        public LogLevels {
            loggers = Map.copyOf(loggers);
        }

        /** A copy with the same loggers and another general level. */
        public LogLevels withLevel(Level other) {
            return new LogLevels(other, loggers);
        }
    }
}
