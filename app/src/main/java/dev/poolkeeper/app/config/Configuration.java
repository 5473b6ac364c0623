package dev.poolkeeper.app.config;

import dev.poolkeeper.core.operation.UpdateModel;
import java.time.Duration;
import java.util.List;

/**
 * The daemon's configuration, whole and valid.
 *
 * @param updateInterval between ticks
 * @param maxRetries extra attempts after the first failed one
 * @param model the update model
 * @param values every setting as it takes effect, in the order of {@code docs/configuration.md}
 * @param warnings about keys that nobody uses
 */
public record Configuration(
        Duration updateInterval,
        int maxRetries,
        UpdateModel model,
        List<EffectiveValue> values,
        List<String> warnings) {

    /**
     * A setting as it takes effect.
     *
     * @param key its key
     * @param value its value, masked if it is a secret
     * @param origin where the value comes from
     */
    public record EffectiveValue(String key, String value, String origin) {}

    public Configuration {
        values = List.copyOf(values);
        warnings = List.copyOf(warnings);
    }
}
