package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the guards.
 *
 * @param brake when removals are held
 * @param drift when a pool that another writer keeps changing back is written less often
 * @param forbiddenWaits the backoff for a pool for which ARM answered 403
 */
public record GuardSettings(BrakeSettings brake, DriftSettings drift, Backoff forbiddenWaits) {

    /** The defaults of each; one to 30 minutes after a 403. */
    public static final GuardSettings DEFAULT = new GuardSettings(
            BrakeSettings.DEFAULT, DriftSettings.DEFAULT, new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(30)));

    public GuardSettings {
        Objects.requireNonNull(brake, "brake");
        Objects.requireNonNull(drift, "drift");
        Objects.requireNonNull(forbiddenWaits, "forbiddenWaits");
    }

    public GuardSettings withBrake(BrakeSettings other) {
        return new GuardSettings(other, drift, forbiddenWaits);
    }

    public GuardSettings withDrift(DriftSettings other) {
        return new GuardSettings(brake, other, forbiddenWaits);
    }

    public GuardSettings withForbiddenWaits(Backoff other) {
        return new GuardSettings(brake, drift, other);
    }
}
