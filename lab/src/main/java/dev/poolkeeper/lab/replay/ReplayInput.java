package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import java.util.List;

/**
 * What is replayed.
 *
 * @param recordings played together, at least one
 * @param events how many events they hold together
 * @param inventory what the cloud starts with
 * @param faults what the cloud answers instead of doing calls
 */
public record ReplayInput(List<Recording> recordings, long events, Inventory inventory, Faults faults) {

    public ReplayInput {
        recordings = List.copyOf(recordings);
    }
}
