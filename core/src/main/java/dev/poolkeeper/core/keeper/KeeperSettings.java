package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;

/**
 * How the keeper works.
 *
 * @param updater how the tick retries
 * @param model the update model
 * @param directoryRefresh how often load balancers are listed to find pools that came, went or moved
 * @param waits how soon they are listed again while a local Service lacks its pool, or a listing failed
 * @param resync how often every pool is compared with what is wanted, jittered by a tenth; zero for never but at the
 *     start of a term as leader
 * @param brake when removals are held back
 * @param drift when a pool counts as fought over
 * @param forbiddenWaits how long a load balancer that answered 403 is left alone
 */
public record KeeperSettings(
        UpdaterSettings updater,
        UpdateModel model,
        Duration directoryRefresh,
        Backoff waits,
        Duration resync,
        BrakeSettings brake,
        DriftSettings drift,
        Backoff forbiddenWaits) {

    /** What the daemon does where its configuration says nothing. */
    public static final KeeperSettings DEFAULT = new KeeperSettings(
            UpdaterSettings.DEFAULTS,
            UpdateModel.DESIRED_STATE,
            Duration.ofMinutes(5),
            Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(60)),
            Duration.ofMinutes(10),
            BrakeSettings.DEFAULT,
            DriftSettings.DEFAULT,
            Backoff.doubling(Duration.ofMinutes(1), Duration.ofMinutes(30)));

    /** @throws IllegalArgumentException if {@code directoryRefresh} is not positive or {@code resync} is negative */
    public KeeperSettings {
        if (!directoryRefresh.isPositive() || resync.isNegative()) {
            throw new IllegalArgumentException(
                    "directoryRefresh must be greater than 0 and resync not negative, got %s and %s"
                            .formatted(directoryRefresh, resync));
        }
    }
}
