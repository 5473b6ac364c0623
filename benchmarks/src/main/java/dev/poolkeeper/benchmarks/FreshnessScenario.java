package dev.poolkeeper.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.load.InventoryWriter;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.fake.load.RecordingWriter;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ReplayInput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The events of a scenario, and its load balancers.
 *
 * @param name a readable name
 * @param write the duration of a write
 * @param quota the limit of writes
 * @param recording the events
 * @param events the number of events
 * @param inventory ARM's list of load balancers
 */
record FreshnessScenario(
        String name, Duration write, Quota quota, Recording recording, long events, JsonNode inventory) {

    /** Each of 20 load balancers has a hundred pools to write. */
    static final String ROLL = "roll of 2,000 pools";

    /** 200 pools on ten load balancers, three pods each, in three zones. */
    private static final LoadShape CLUSTER = new LoadShape(120, 3, 200, 1, 3, 10);

    /** 2,000 pools on 20 load balancers. */
    private static final LoadShape LARGE_CLUSTER = new LoadShape(500, 3, 2_000, 1, 3, 20);

    private static final Duration WRITE = Duration.ofSeconds(5);
    private static final JsonMapper JSON = new JsonMapper();
    private static final long SEED = 14;

    /** The limit of writes. */
    enum Quota {
        /** No limit. */
        ENDLESS,
        /** Ten per minute, and responses report the remaining quota. */
        REPORTED,
        /** Ten per minute, reported only by a 429. */
        UNREPORTED
    }

    /** All scenarios; their files are written into the folder. */
    static List<FreshnessScenario> all(Path recordings, Path folder) throws IOException, BadInputException {
        Files.createDirectories(folder);
        FreshnessScenario zone = generated("lost zone", folder, FreshnessScenario::loseZone);
        return List.of(
                bundled("churn-large", recordings, Duration.ofSeconds(3)),
                bundled("churn-large", recordings, Duration.ofSeconds(8)),
                bundled("comings-and-goings", recordings, Duration.ofSeconds(3)),
                bundled("churn-small", recordings, Duration.ofSeconds(3)),
                generated("a change a second", folder, FreshnessScenario::changeASecond),
                generated("rollout of 500 pods", folder, FreshnessScenario::rollout),
                zone,
                zone.with("lost zone, 10 writes a minute", Quota.REPORTED),
                zone.with("the same, without quota headers", Quota.UNREPORTED),
                generated(ROLL, LARGE_CLUSTER, folder, LoadGenerator::start, FreshnessScenario::rollAll)
                        .with(Duration.ofSeconds(3)));
    }

    private FreshnessScenario with(String newName, Quota newQuota) {
        return new FreshnessScenario(newName, write, newQuota, recording, events, inventory);
    }

    private FreshnessScenario with(Duration newWrite) {
        return new FreshnessScenario(name, newWrite, quota, recording, events, inventory);
    }

    private static FreshnessScenario bundled(String name, Path recordings, Duration write)
            throws IOException, BadInputException {
        Recording recording = Recording.of(recordings.resolve(name + ".jsonl.gz"));
        JsonNode inventory = JSON.readTree(Files.readString(recordings.resolve(name + ".inventory.json")));
        return new FreshnessScenario(
                name, write, Quota.ENDLESS, recording, recording.check().events(), inventory);
    }

    private static FreshnessScenario generated(String name, Path folder, Consumer<LoadGenerator> happens)
            throws IOException, BadInputException {
        return generated(
                name,
                CLUSTER,
                folder,
                load -> {
                    load.start();
                    crowdOneZone(load);
                },
                happens);
    }

    private static FreshnessScenario generated(
            String name,
            LoadShape cluster,
            Path folder,
            Consumer<LoadGenerator> starts,
            Consumer<LoadGenerator> happens)
            throws IOException, BadInputException {
        Path file = folder.resolve(name.replace(' ', '-') + ".jsonl");
        LoadSnapshot start = new LoadSnapshot();
        long events;
        try (RecordingWriter writer = new RecordingWriter(Files.newOutputStream(file))) {
            LoadGenerator load = new LoadGenerator(cluster, start);
            starts.accept(load);
            start.endWith(writer);
            load.pause(Duration.ofMinutes(2));
            happens.accept(load);
            events = writer.written();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        InventoryWriter.write(cluster, bytes);
        JsonNode inventory = JSON.readTree(bytes.toByteArray());
        start.fill(inventory);
        return new FreshnessScenario(name, WRITE, Quota.ENDLESS, Recording.of(file), events, inventory);
    }

    /** Puts all pods of a quarter of the Services into one zone: losing it is an outage for them. */
    private static void crowdOneZone(LoadGenerator load) {
        for (int node = 0; node < CLUSTER.nodes() / 4; node++) {
            if (node % CLUSTER.zones() != 1) {
                load.drainNode(node, Duration.ZERO);
            }
        }
    }

    private static void changeASecond(LoadGenerator load) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200; i++) {
            load.rollingUpdate(random.nextInt(CLUSTER.services()), Duration.ofSeconds(1));
        }
    }

    private static void rollout(LoadGenerator load) {
        for (int i = 0; i < 167; i++) {
            load.rollingUpdate(i, Duration.ofMillis(100));
        }
    }

    /** 6,000 pods, one every 10 ms. */
    private static void rollAll(LoadGenerator load) {
        for (int i = 0; i < LARGE_CLUSTER.services(); i++) {
            load.rollingUpdate(i, Duration.ofMillis(10));
        }
    }

    private static void loseZone(LoadGenerator load) {
        load.loseZone(1, Duration.ofMinutes(2));
    }

    ReplayInput input() throws IOException, BadInputException {
        ByteArrayInputStream bytes = new ByteArrayInputStream(JSON.writeValueAsBytes(inventory));
        return new ReplayInput(List.of(recording), events, Inventory.read(bytes, name), Faults.NONE);
    }
}
