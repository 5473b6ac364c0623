package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The daemon's configuration, whole and valid.
 *
 * @param updateInterval between ticks
 * @param maxRetries extra attempts after the first failed one
 * @param model the update model
 * @param retries when calls are retried, and how many retries there may be together
 * @param retryPolicyFiles manifests that were read for it
 * @param azure where load balancers are and who we are there; null where the file names neither subscription nor
 *     resource group
 * @param daemon what only the daemon asks for
 * @param values every setting as it takes effect, in the order of {@code docs/configuration.md}
 * @param warnings about keys that nobody uses
 */
public record Configuration(
        Duration updateInterval,
        int maxRetries,
        UpdateModel model,
        RetrySettings retries,
        List<Path> retryPolicyFiles,
        @Nullable AzureConfiguration azure,
        DaemonSettings daemon,
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

    /** How the engine works with it. */
    public EngineSettings engine() {
        BrakeSettings brake = new BrakeSettings(
                daemon.brake().percent(),
                daemon.brake().minAddresses(),
                daemon.brake().hold(),
                updateInterval);
        return EngineSettings.DEFAULT
                .withModel(model)
                .withMaxRetries(maxRetries)
                .withDirectoryRefresh(daemon.directoryRefresh())
                .withResync(daemon.resync())
                .withGuards(GuardSettings.DEFAULT.withBrake(brake));
    }

    public Configuration {
        retryPolicyFiles = List.copyOf(retryPolicyFiles);
        values = List.copyOf(values);
        warnings = List.copyOf(warnings);
    }
}
