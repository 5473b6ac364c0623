package dev.poolkeeper.app.commands;

import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.app.config.Loggers;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Option;

/** {@code --log-level}: the log level, taking precedence over {@code logging.level}. */
public final class LogLevelOption {

    @Option(
            names = "--log-level",
            paramLabel = "error|warn|info|debug",
            description = "The lowest level that is logged. Default: logging.level of the configuration")
    private @Nullable String level;

    /**
     * Applies the option to the configured levels.
     *
     * @throws BadInputException if there is no such level
     */
    public UnaryOperator<LogLevels> override() throws BadInputException {
        String word = level;
        if (word == null) {
            return UnaryOperator.identity();
        }
        Level chosen = Loggers.LEVELS.words().get(word.toLowerCase(Locale.ROOT));
        if (chosen == null) {
            throw new BadInputException(
                    new InputFault("--log-level", "", "found \"" + word + "\", must be " + Loggers.LEVELS.allowed()));
        }
        return levels -> levels.withLevel(chosen);
    }
}
