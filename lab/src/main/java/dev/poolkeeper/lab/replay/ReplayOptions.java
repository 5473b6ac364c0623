package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import java.time.Duration;
import java.util.List;

/**
 * What to replay, and how.
 *
 * @param recordings played together, at least one
 * @param events how many events they hold together
 * @param inventory what the cloud starts with
 * @param faults what the cloud answers instead of doing calls
 * @param via how the cloud is reached
 * @param model the update model
 * @param interval between ticks, in whole milliseconds, at least one
 * @param maxRetries extra attempts after the first failed one
 * @param pace how fast virtual time goes
 * @param dryRun whether nothing is written, reported on Services or counted
 */
public record ReplayOptions(
        List<Recording> recordings,
        long events,
        Inventory inventory,
        Faults faults,
        Via via,
        UpdateModel model,
        Duration interval,
        int maxRetries,
        Pace pace,
        boolean dryRun) {

    /** Everything is done, the writes too. */
    public ReplayOptions(
            List<Recording> recordings,
            long events,
            Inventory inventory,
            Faults faults,
            Via via,
            UpdateModel model,
            Duration interval,
            int maxRetries,
            Pace pace) {
        this(recordings, events, inventory, faults, via, model, interval, maxRetries, pace, false);
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
