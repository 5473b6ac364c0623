package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import java.util.List;

/**
 * The input of a replay.
 *
 * @param recordings at least one; they are merged by offset
 * @param events the total number of their events
 * @param inventory the initial state of the cloud
 * @param faults the faults of the cloud
 */
public record ReplayInput(List<Recording> recordings, long events, Inventory inventory, Faults faults) {

    public ReplayInput {
        recordings = List.copyOf(recordings);
    }
}
