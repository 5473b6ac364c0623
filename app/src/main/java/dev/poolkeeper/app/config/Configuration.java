package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The daemon's configuration, complete and valid.
 *
 * @param engine the settings of the engine
 * @param live the settings that can change in a running daemon
 * @param azure the load balancers and our identity; null if the file names neither subscription nor resource group
 * @param daemon the settings used by the daemon only
 * @param values every effective setting, in the order of {@code docs/configuration.md}
 * @param warnings about keys that have no effect
 */
public record Configuration(
        EngineSettings engine,
        LiveSettings live,
        @Nullable AzureConfiguration azure,
        DaemonSettings daemon,
        List<EffectiveValue> values,
        List<String> warnings) {

    public Configuration {
        values = List.copyOf(values);
        warnings = List.copyOf(warnings);
    }

    /** The time between ticks. */
    public Duration updateInterval() {
        return engine.pace().interval();
    }

    /** The same with another effective setting at the end. */
    public Configuration showing(EffectiveValue value) {
        List<EffectiveValue> more = new ArrayList<>(values);
        more.add(value);
        return new Configuration(engine, live, azure, daemon, more, warnings);
    }

    /**
     * An effective setting.
     *
     * @param key its key
     * @param value its value, masked if it is a secret
     * @param origin where the value comes from
     */
    public record EffectiveValue(String key, String value, String origin) {}
}
