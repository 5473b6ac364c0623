package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.retry.MaxRetries;
import java.time.Duration;

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
                .withPace(pace(settings))
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

    /** The default of {@link Keys#PACE}. */
    static Setting<PaceName> usualPace(Settings settings) {
        return Setting.byDefault(settings.get(Keys.UPDATE_MODEL) == UpdateModel.DIFF ? PaceName.TICK : PaceName.EAGER);
    }

    private static Pace pace(Settings settings) {
        if (settings.get(Keys.PACE) == PaceName.TICK) {
            return new Pace.Tick(settings.get(Keys.UPDATE_INTERVAL));
        }
        if (settings.get(Keys.UPDATE_MODEL) == UpdateModel.DIFF) {
            settings.fault(Keys.PACE, "found eager, must be tick with " + Keys.UPDATE_MODEL.name() + ": diff");
            return new Pace.Tick(settings.get(Keys.UPDATE_INTERVAL));
        }
        return new Pace.Eager(
                Duration.ofMillis(settings.get(Keys.GATHER)),
                settings.get(Keys.LONGEST_WAIT),
                settings.get(Keys.UPDATE_INTERVAL));
    }
}
