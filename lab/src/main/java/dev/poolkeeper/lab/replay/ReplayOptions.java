package dev.poolkeeper.lab.replay;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.core.engine.EngineSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a replay.
 *
 * @param input the input
 * @param via how the cloud is reached
 * @param speed the speed of virtual time
 * @param engine the engine's settings
 * @param dryRun whether nothing is written, reported on Services or counted
 * @param armTimes the durations of calls; empty for no time
 * @param oneLane whether load balancers are processed one after another
 * @param daemon the daemon's configuration, if given; empty for the reference behaviour, which lists the load balancers
 *     once
 */
public record ReplayOptions(
        ReplayInput input,
        Via via,
        Speed speed,
        EngineSettings engine,
        boolean dryRun,
        Optional<ArmTimes> armTimes,
        boolean oneLane,
        Optional<Configuration> daemon) {

    /**
     * The reference behaviour at maximum speed, including writes.
     *
     * @param engine without guards and comparisons
     */
    public static ReplayOptions reference(ReplayInput input, Via via, EngineSettings engine) {
        return new ReplayOptions(input, via, Speed.MAX, engine, false, Optional.empty(), false, Optional.empty());
    }

    /** Between ticks, in whole milliseconds, at least one. */
    Duration interval() {
        return engine.pace().interval();
    }

    /** A copy with another speed. */
    public ReplayOptions withSpeed(Speed other) {
        return new ReplayOptions(input, via, other, engine, dryRun, armTimes, oneLane, daemon);
    }

    /** How the cloud is reached. */
    public enum Via {
        /** In this process, exact and repeatable. */
        MEMORY,
        /** The real Azure SDK over TLS against the emulator. */
        HTTPS
    }
}
