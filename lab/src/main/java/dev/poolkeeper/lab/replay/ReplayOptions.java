package dev.poolkeeper.lab.replay;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to replay, and how.
 *
 * @param recordings played together, at least one
 * @param events how many events they hold together
 * @param inventory what the cloud starts with
 * @param faults what the cloud answers instead of doing calls
 * @param via how the cloud is reached
 * @param engine how the engine works
 * @param interval between ticks, in whole milliseconds, at least one
 * @param speed how fast virtual time goes
 * @param dryRun whether nothing is written, reported on Services or counted
 * @param daemon the daemon's configuration where it is played with; empty for the reference behaviour, which lists the
 *     load balancers once
 */
public record ReplayOptions(
        List<Recording> recordings,
        long events,
        Inventory inventory,
        Faults faults,
        Via via,
        EngineSettings engine,
        Duration interval,
        Speed speed,
        boolean dryRun,
        Optional<Configuration> daemon) {

    /** The reference behaviour: everything is done, the writes too. */
    public ReplayOptions(
            List<Recording> recordings,
            long events,
            Inventory inventory,
            Faults faults,
            Via via,
            UpdateModel model,
            Duration interval,
            int maxRetries,
            Speed speed) {
        this(
                recordings,
                events,
                inventory,
                faults,
                via,
                EngineSettings.REFERENCE.withModel(model).withMaxRetries(maxRetries),
                interval,
                speed,
                false,
                Optional.empty());
    }

    /** The update model. */
    public UpdateModel model() {
        return engine.model();
    }

    /** How the cloud is reached. */
    public enum Via {
        /** In this process, exact and repeatable. */
        MEMORY,
        /** The real Azure SDK over TLS against the emulator. */
        HTTPS
    }

    public ReplayOptions {
        recordings = List.copyOf(recordings);
    }
}
