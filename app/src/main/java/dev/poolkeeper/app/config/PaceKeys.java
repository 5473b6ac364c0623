package dev.poolkeeper.app.config;

import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.merge.UpdateModel;
import java.time.Duration;

/** Reads the key that sets when updates start. */
final class PaceKeys {

    private PaceKeys() {}

    /** The default of {@link Keys#PACE}. */
    static Setting<PaceName> usualPace(Settings settings) {
        return Setting.byDefault(settings.get(Keys.UPDATE_MODEL) == UpdateModel.DIFF ? PaceName.TICK : PaceName.EAGER);
    }

    static Pace read(Settings settings) {
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
