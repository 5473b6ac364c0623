package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The daemon's configuration, complete and valid.
 *
 * @param updateInterval between ticks
 * @param engine how the engine works
 * @param live what takes effect in a running daemon
 * @param azure where load balancers are and who we are there; null where the file names neither subscription nor
 *     resource group
 * @param daemon what only the daemon asks for
 * @param values every setting as it takes effect, in the order of {@code docs/configuration.md}
 * @param warnings about keys that are not used
 */
public record Configuration(
        Duration updateInterval,
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

    /**
     * A setting as it takes effect.
     *
     * @param key its key
     * @param value its value, masked if it is a secret
     * @param origin where the value comes from
     */
    public record EffectiveValue(String key, String value, String origin) {}
}
