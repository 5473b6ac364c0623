package dev.poolkeeper.lab.replay;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.core.engine.EngineSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * What to replay, and how.
 *
 * @param input what is replayed
 * @param via how the cloud is reached
 * @param speed how fast virtual time goes
 * @param engine how the engine works
 * @param interval between ticks, in whole milliseconds, at least one
 * @param dryRun whether nothing is written, reported on Services or counted
 * @param armTimes how long calls take; empty for no time
 * @param oneLane whether load balancers are served one after another
 * @param daemon the daemon's configuration where it is played with; empty for the reference behaviour, which lists the
 *     load balancers once
 */
public record ReplayOptions(
        ReplayInput input,
        Via via,
        Speed speed,
        EngineSettings engine,
        Duration interval,
        boolean dryRun,
        Optional<ArmTimes> armTimes,
        boolean oneLane,
        Optional<Configuration> daemon) {

    /**
     * The reference behaviour as fast as it goes: everything is done, the writes too.
     *
     * @param engine without guards and comparisons
     */
    public static ReplayOptions reference(ReplayInput input, Via via, EngineSettings engine, Duration interval) {
        return new ReplayOptions(
                input, via, Speed.MAX, engine, interval, false, Optional.empty(), false, Optional.empty());
    }

    /** The same at another speed. */
    public ReplayOptions withSpeed(Speed other) {
        return new ReplayOptions(input, via, other, engine, interval, dryRun, armTimes, oneLane, daemon);
    }

    /** How the cloud is reached. */
    public enum Via {
        /** In this process, exact and repeatable. */
        MEMORY,
        /** The real Azure SDK over TLS against the emulator. */
        HTTPS
    }
}
