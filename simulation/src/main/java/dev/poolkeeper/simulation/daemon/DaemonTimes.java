package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.keeper.KeeperSettings;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;

/**
 * The settings of a simulated daemon: the defaults where ten minutes are enough to see them at work, else shorter.
 *
 * @param interval between ticks
 * @param keeper the engine's
 * @param election the leader election's
 * @param resourceLock the resource lock's
 */
public record DaemonTimes(
        Duration interval, KeeperSettings keeper, ElectionSettings election, ResourceLockSettings resourceLock) {

    /** Ticks every 5 s, listings every 40 s, comparisons every 60 s. */
    public static final DaemonTimes DEFAULT = new DaemonTimes(
            Duration.ofSeconds(5),
            new KeeperSettings(
                    new UpdaterSettings(3, instant -> instant.toString(), Duration.ofSeconds(150)),
                    UpdateModel.DESIRED_STATE,
                    Duration.ofSeconds(40),
                    Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(30)),
                    Duration.ofSeconds(60),
                    new BrakeSettings(50, 20, Duration.ofSeconds(25)),
                    new DriftSettings(
                            3,
                            Backoff.doubling(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                            Duration.ofSeconds(120)),
                    Backoff.doubling(Duration.ofSeconds(10), Duration.ofSeconds(40))),
            ElectionSettings.DEFAULT,
            new ResourceLockSettings(
                    Duration.ofSeconds(45),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30)));

    KeeperSettings neverResyncing() {
        return new KeeperSettings(
                keeper.updater(),
                keeper.model(),
                keeper.directoryRefresh(),
                keeper.waits(),
                Duration.ZERO,
                keeper.brake(),
                keeper.drift(),
                keeper.forbiddenWaits());
    }
}
