package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.retry.MaxRetries;

/** Reads the keys of the engine. */
final class EngineKeys {

    private EngineKeys() {}

    static EngineSettings read(Settings settings) {
        BrakeSettings brake = new BrakeSettings(
                settings.get(Keys.BRAKE_PERCENT),
                settings.get(Keys.BRAKE_MIN_ADDRESSES),
                settings.get(Keys.BRAKE_HOLD),
                settings.get(Keys.UPDATE_INTERVAL));
        return EngineSettings.DEFAULT
                .withModel(settings.get(Keys.UPDATE_MODEL))
                .withPace(PaceKeys.read(settings))
                .withMaxRetries(maxRetries(settings))
                .withDirectoryRefresh(settings.get(Keys.DIRECTORY_REFRESH))
                .withResync(settings.get(Keys.RESYNC))
                .withGuards(GuardSettings.DEFAULT.withBrake(brake));
    }

    private static int maxRetries(Settings settings) {
        int configured = settings.get(Keys.MAX_RETRIES);
        if (configured < 0) {
            settings.replace(
                    Keys.MAX_RETRIES,
                    MaxRetries.of(configured),
                    settings.originOf(Keys.MAX_RETRIES) + ": " + configured + " counts as 0");
        }
        return settings.get(Keys.MAX_RETRIES);
    }
}
