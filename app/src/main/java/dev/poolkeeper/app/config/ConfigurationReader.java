package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a configuration file: first each key, then the rules across keys; reports all faults at once. */
public final class ConfigurationReader {

    private ConfigurationReader() {}

    /** @throws BadInputException with every fault of the file */
    public static Configuration read(Path file) throws BadInputException {
        return read(file, System.getenv());
    }

    /**
     * A configuration that a daemon can start with.
     *
     * @throws BadInputException with every fault of the file, including missing keys that a daemon requires
     */
    public static Configuration readForDaemon(Path file) throws BadInputException {
        return read(file, System.getenv(), DaemonKeys::requirePlace);
    }

    /**
     * @param environment the environment's variables
     * @throws BadInputException with every fault of the file
     */
    public static Configuration read(Path file, Map<String, String> environment) throws BadInputException {
        return read(file, environment, settings -> {});
    }

    private static Configuration read(Path file, Map<String, String> environment, Consumer<Settings> more)
            throws BadInputException {
        FaultCollector faults = new FaultCollector(file.toString());
        ConfigurationDocument document = ConfigurationDocument.read(file, faults);
        JsonObject root = JsonObject.of(document.fields(), "", faults);
        Settings settings = Settings.read(root, file, environment, Keys.all());
        more.accept(settings);
        Configuration configuration = configuration(settings, document.warnings());
        faults.throwIfAny();
        return configuration;
    }

    private static Configuration configuration(Settings settings, List<String> warnings) {
        EngineSettings engine = EngineKeys.read(settings);
        LiveSettings live = live(settings);
        @Nullable AzureConfiguration azure = AzureKeys.read(settings);
        DaemonSettings daemon = DaemonKeys.read(settings);
        List<String> all = new ArrayList<>(warnings);
        all.addAll(settings.notes());
        return new Configuration(
                settings.get(Keys.UPDATE_INTERVAL), engine, live, azure, daemon, settings.effective(), all);
    }

    private static LiveSettings live(Settings settings) {
        RetrySources retries = RetryKeys.read(settings);
        List<Path> files = new ArrayList<>(List.of(settings.file()));
        files.addAll(settings.get(Keys.RETRY_POLICY_FILES));
        return new LiveSettings(
                retries,
                settings.get(Keys.PAUSED),
                settings.find(Keys.BRAKE_AGREED),
                new LiveSettings.LogLevels(settings.get(Keys.LOG_LEVEL), settings.get(Keys.LOGGERS)),
                files);
    }
}
