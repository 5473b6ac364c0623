package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.retry.MaxRetries;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads a configuration file: defaults, bounds, and every fault at once. */
public final class ConfigurationReader {

    private static final int DEFAULT_INTERVAL = 30;
    private static final String BY_DEFAULT = "default";

    private final JsonObject file;
    private final String name;
    private final List<EffectiveValue> values = new ArrayList<>();

    private ConfigurationReader(JsonObject file, String name) {
        this.file = file;
        this.name = name;
    }

    /** @throws BadInputException with every fault of the file */
    public static Configuration read(Path path) throws BadInputException {
        return read(path, System.getenv());
    }

    /**
     * @param environment the environment's variables; {@code POD_NAME} and {@code POD_NAMESPACE} are looked at
     * @throws BadInputException with every fault of the file
     */
    public static Configuration read(Path path, Map<String, String> environment) throws BadInputException {
        FaultCollector faults = new FaultCollector(path.toString());
        ConfigurationDocument document = ConfigurationDocument.read(path, faults);
        ObjectNode fields = document.fields();
        Configuration configuration = new ConfigurationReader(JsonObject.of(fields, "", faults), path.toString())
                .read(document.warnings(), environment);
        faults.throwIfAny();
        return configuration;
    }

    private Configuration read(List<String> warnings, Map<String, String> environment) {
        Duration interval = updateInterval();
        int maxRetries = maxRetries();
        UpdateModel model = model();
        RetryKeys retries = RetryKeys.read(file, Path.of(name));
        values.addAll(retries.values());
        AzureKeys azure = AzureKeys.read(file, Path.of(name));
        values.addAll(azure.values());
        List<String> all = new ArrayList<>(warnings);
        all.addAll(retries.notes());
        all.addAll(azure.notes());
        DaemonKeys daemon = DaemonKeys.read(file, Path.of(name), environment);
        values.addAll(daemon.values());
        all.addAll(daemon.notes());
        return new Configuration(
                interval,
                maxRetries,
                model,
                retries.settings(),
                retries.files(),
                azure.configuration(),
                daemon.settings(),
                values,
                all);
    }

    private Duration updateInterval() {
        OptionalLong seconds = file.wholeNumber(Keys.UPDATE_INTERVAL, 0, Integer.MAX_VALUE);
        if (seconds.isPresent() && seconds.getAsLong() > 0) {
            effective(Keys.UPDATE_INTERVAL, seconds.getAsLong(), name);
            return Duration.ofSeconds(seconds.getAsLong());
        }
        effective(
                Keys.UPDATE_INTERVAL, DEFAULT_INTERVAL, seconds.isPresent() ? name + ": 0 is the default" : BY_DEFAULT);
        return Duration.ofSeconds(DEFAULT_INTERVAL);
    }

    private int maxRetries() {
        OptionalLong configured = file.wholeNumber(Keys.MAX_RETRIES, Integer.MIN_VALUE, Integer.MAX_VALUE);
        int retries = MaxRetries.of(configured.isPresent() ? (int) configured.getAsLong() : null);
        effective(
                Keys.MAX_RETRIES,
                retries,
                configured.isEmpty()
                        ? BY_DEFAULT
                        : configured.getAsLong() < 0 ? name + ": " + configured.getAsLong() + " counts as 0" : name);
        return retries;
    }

    private UpdateModel model() {
        String text = file.optionalString(Keys.UPDATE_MODEL);
        UpdateModel model = UpdateModel.DESIRED_STATE;
        if (text != null) {
            model = ModelNames.parse(text).orElse(model);
            if (ModelNames.parse(text).isEmpty()) {
                file.fault(Keys.UPDATE_MODEL, "found \"" + text + "\", must be one of " + ModelNames.all());
            }
        }
        effective(Keys.UPDATE_MODEL, ModelNames.of(model), text == null ? BY_DEFAULT : name);
        return model;
    }

    private void effective(String key, Object value, String origin) {
        values.add(new EffectiveValue(key, value.toString(), origin));
    }
}
