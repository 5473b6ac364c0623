package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The bundled recording, inventory and faults. */
public final class BundledReplay {

    private static final String FOLDER = "/dev/poolkeeper/lab/recordings/";
    private static final String RECORDING = "comings-and-goings.jsonl.gz";
    private static final String INVENTORY = "comings-and-goings.inventory.json";
    private static final String FAULTS = "faults/rough-start.json";

    private BundledReplay() {}

    public static Recording recording() {
        return new Recording("the bundled " + RECORDING, () -> open(RECORDING));
    }

    public static Inventory inventory() throws BadInputException, IOException {
        try (InputStream in = open(INVENTORY)) {
            return Inventory.read(in, "the bundled " + INVENTORY);
        }
    }

    public static Faults faults() throws BadInputException, IOException {
        try (InputStream in = open(FAULTS)) {
            return Faults.read(in, "the bundled " + FAULTS);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(BundledReplay.class.getResourceAsStream(FOLDER + name), name);
    }
}
