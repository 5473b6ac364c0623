package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;

/**
 * The settings of a simulated daemon: the defaults where ten minutes are enough to see them at work, else shorter.
 *
 * @param interval between ticks
 * @param engine the engine's
 * @param election the leader election's
 * @param resourceLock the resource lock's
 */
public record DaemonTimes(
        Duration interval, EngineSettings engine, ElectionSettings election, ResourceLockSettings resourceLock) {

    /** Ticks every 5 s, listings every 40 s, comparisons every 60 s. */
    public static final DaemonTimes DEFAULT = new DaemonTimes(
            Duration.ofSeconds(5),
            EngineSettings.DEFAULT
                    .withCallDeadline(Duration.ofSeconds(150))
                    .withDirectoryRefresh(Duration.ofSeconds(40))
                    .withListingWaits(Backoff.doubling(Duration.ofSeconds(2), Duration.ofSeconds(30)))
                    .withResync(Duration.ofSeconds(60))
                    .withGuards(new GuardSettings(
                            new BrakeSettings(50, 20, Duration.ofSeconds(25), Duration.ofSeconds(5)),
                            new DriftSettings(
                                    3,
                                    Backoff.doubling(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                                    Duration.ofSeconds(120)),
                            Backoff.doubling(Duration.ofSeconds(10), Duration.ofSeconds(40)))),
            ElectionSettings.DEFAULT,
            new ResourceLockSettings(
                    Duration.ofSeconds(45),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30)));
}
