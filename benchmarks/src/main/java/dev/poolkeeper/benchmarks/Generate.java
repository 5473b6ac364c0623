package dev.poolkeeper.benchmarks;

import dev.poolkeeper.fake.load.InventoryWriter;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.fake.load.RecordingWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** Writes a recording of a generated cluster and its churn, and a matching inventory, for {@code replay}. */
public final class Generate {

    private static final String USAGE = "usage: generate [--nodes N] [--zones N] [--services N] [--slices N]"
            + " [--endpoints N] [--load-balancers N] DIR";

    private Generate() {}

    public static void main(String[] args) throws IOException {
        LoadShape shape = LoadShape.DEFAULTS;
        Path folder = null;
        Iterator<String> rest = List.of(args).iterator();
        try {
            while (rest.hasNext()) {
                String argument = rest.next();
                if (argument.startsWith("--")) {
                    shape = with(shape, argument, rest);
                } else {
                    folder = Path.of(argument);
                }
            }
            if (folder == null) {
                throw new IllegalArgumentException("no folder given");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("generate: " + e.getMessage() + "; " + USAGE);
            System.exit(2);
            return;
        }
        write(shape, folder).lines().forEach(System.out::println);
    }

    private static LoadShape with(LoadShape shape, String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a number");
        }
        int number = Integer.parseInt(rest.next());
        return switch (option) {
            case "--nodes" -> shape.withNodes(number);
            case "--zones" -> shape.withZones(number);
            case "--services" -> shape.withServices(number);
            case "--slices" -> shape.withSlicesPerService(number);
            case "--endpoints" -> shape.withEndpointsPerSlice(number);
            case "--load-balancers" -> shape.withLoadBalancers(number);
            default -> throw new IllegalArgumentException("unknown option " + option);
        };
    }

    /**
     * The files written.
     *
     * @param recording the recording of the initial state and the churn
     * @param inventory all pools, empty
     * @param events the number of events in the recording
     */
    record Written(Path recording, Path inventory, long events) {
        List<String> lines() {
            return List.of(events + " events", "./poolkeeper replay %s --inventory %s".formatted(recording, inventory));
        }
    }

    static Written write(LoadShape shape, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path recording = folder.resolve("load.jsonl");
        Path inventory = folder.resolve("load.inventory.json");
        long events;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(recording), 1 << 16);
                RecordingWriter writer = new RecordingWriter(out)) {
            churn(shape, new LoadGenerator(shape, writer));
            events = writer.written();
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(inventory), 1 << 16)) {
            InventoryWriter.write(shape, out);
        }
        return new Written(recording, inventory, events);
    }

    /**
     * Generates the initial state; then updates a tenth of the Services, drains one node in a hundred, flaps one
     * Service in a hundred, and loses a zone, if there are several.
     */
    private static void churn(LoadShape shape, LoadGenerator load) {
        load.start();
        load.pause(Duration.ofMinutes(1));
        for (int i = 0; i < shape.services(); i += 10) {
            load.rollingUpdate(i, Duration.ofMillis(50));
        }
        for (int j = 0; j < shape.nodes(); j += 100) {
            load.drainNode(j, Duration.ofMillis(20));
            load.pause(Duration.ofSeconds(10));
        }
        for (int i = 0; i < shape.services(); i += 100) {
            load.flap(i, 5, Duration.ofMillis(500));
        }
        if (shape.zones() > 1) {
            load.pause(Duration.ofMinutes(1));
            load.loseZone(1, Duration.ofMinutes(2));
        }
    }
}
