package dev.poolkeeper.benchmarks;

import dev.poolkeeper.app.Main;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.PoolLocations;
import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.RecordingFeed;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.load.InventoryWriter;
import dev.poolkeeper.fake.load.LoadGenerator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.fake.load.RecordingWriter;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs the daemon in a separate JVM on a generated cluster with both emulators, and prints its time until ready, memory
 * and CPU usage; then the time from a watch event to the queued operation with the whole cluster cached.
 */
public final class DaemonLarge {

    static final int CHANGES = 2_000;
    private static final long PATIENCE_SECONDS = 300;

    private DaemonLarge() {}

    /**
     * @param args a folder for generated files, the daemon's heap as {@code -Xmx} takes it, {@code small} or
     *     {@code largest}
     */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length == 3, "a folder, a heap and a size", args.length);
        Path folder = Files.createDirectories(Path.of(args[0]));
        LoadShape shape = args[2].equals("small") ? LoadShape.DEFAULTS : LoadShape.LARGEST;
        try (KubeEmulator kube = KubeEmulator.start();
                ArmEmulator arm = arm(shape, folder)) {
            kube.createNamespace("kube-system");
            fill(kube, shape, folder);
            print(
                    "%,d nodes, %,d Services, %,d slices, %,d endpoints on %d load balancers",
                    shape.nodes(),
                    shape.services(),
                    shape.services() * shape.slicesPerService(),
                    shape.services() * shape.slicesPerService() * shape.endpointsPerSlice(),
                    shape.loadBalancers());
            daemon(kube, arm, shape, folder, args[1]);
            if (shape.services() >= CHANGES) { // each change is in a different Service
                eventToQueue(kube, shape, folder);
            }
        }
    }

    private static ArmEmulator arm(LoadShape shape, Path folder) throws IOException, BadInputException {
        Path inventory = folder.resolve("inventory.json");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(inventory))) {
            InventoryWriter.write(shape, out);
        }
        ArmEmulator arm = ArmEmulator.start(Inventory.read(inventory), Faults.NONE, ArmSettings.DEFAULT);
        arm.writeCaCertificate(folder.resolve("ca.pem"));
        return arm;
    }

    private static void fill(KubeEmulator kube, LoadShape shape, Path folder) throws IOException {
        Path recording = folder.resolve("start.jsonl");
        try (RecordingWriter writer = new RecordingWriter(new BufferedOutputStream(Files.newOutputStream(recording)))) {
            new LoadGenerator(shape, writer).start();
        }
        try (RecordingFeed feed = new RecordingFeed(kube.api(), Files.newInputStream(recording))) {
            while (feed.playNext()) {
                // continue with the next file
            }
        }
    }

    /** Paused at first, so that the measurement covers the initial lists, the listing and the full queue. */
    private static void daemon(KubeEmulator kube, ArmEmulator arm, LoadShape shape, Path folder, String heap)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("kubeconfig"), kube.kubeconfig());
        Path config = Files.writeString(folder.resolve("poolkeeper.yaml"), """
            resourceManagerEndpoint: %1$s
            authorityHost: %1$s
            caFile: ca.pem
            subscriptionId: %2$s
            resourceGroup: %3$s
            tenantId: 00000000-0000-0000-0000-0000000000aa
            aadClientId: 00000000-0000-0000-0000-0000000000bb
            aadClientSecret: no-secret-to-anybody
            kubeconfig: kubeconfig
            paused: true
            admin: {port: 18095}
            """.formatted(
                        arm.baseUri(), arm.subscription(), arm.resourceGroup()));
        long started = System.nanoTime();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("daemon.log").toFile())
                .start();
        try {
            URI pages = URI.create("http://127.0.0.1:18095");
            while (!answers(pages.resolve("/readyz"))) {
                Peer.require(process.isAlive(), "a running daemon, see daemon.log", "an ended one");
                Peer.require(
                        System.nanoTime() - started < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                        "readiness",
                        "none in time");
                TimeUnit.MILLISECONDS.sleep(20);
            }
            print("ready %.2f s after the start of the JVM", (System.nanoTime() - started) / 1e9);
            TimeUnit.SECONDS.sleep(10); // leadership, the first comparison, and one or two collections
            print(
                    "resident memory: peak %s, after ten seconds %s (heap limited to %s)",
                    status(process, "VmHWM"), status(process, "VmRSS"), heap);
            Files.writeString(config, Files.readString(config).replace("paused: true", "paused: false"));
            new DaemonLoad(kube, arm, shape, process).measure();
            print("resident memory: peak after that %s", status(process, "VmHWM"));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static boolean answers(URI page) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String status(Process process, String field) throws IOException {
        Optional<String> line = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(one -> one.startsWith(field + ":"))
                .findFirst();
        return line.map(one -> "%,d MB".formatted(Long.parseLong(one.replaceAll("\\D", "")) / 1024))
                .orElse("unknown");
    }

    private static void eventToQueue(KubeEmulator kube, LoadShape shape, Path folder) throws InterruptedException {
        EndpointIndex index = new EndpointIndex();
        World world = new World(UpdateModel.DESIRED_STATE, index, new MemoryPools());
        index.locate(PoolLocations.of(shape.pools()));
        Config config = Config.fromKubeconfig(folder.resolve("kubeconfig").toFile());
        double[] millis = new double[CHANGES];
        try (SystemTime time = new SystemTime();
                KubernetesClient client = KubernetesClients.forObjects(config);
                ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, index)) {
            watcher.start();
            while (!watcher.hasSynced() || world.waiting() < shape.services()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            for (int i = 0; i < CHANGES; i++) {
                world.forgetWhatWaits();
                String slice = slice(shape, i);
                long began = System.nanoTime();
                kube.apply(slice);
                while (world.isIdle()) {
                    Thread.onSpinWait();
                    Peer.require(System.nanoTime() - began < 10_000_000_000L, "an operation", "none in 10 s");
                }
                millis[i] = (System.nanoTime() - began) / 1e6;
            }
        }
        double[] sorted = Arrays.copyOfRange(millis, CHANGES / 4, CHANGES); // the first ones warm up
        Arrays.sort(sorted);
        print(
                "from a slice's change in the API server to the queued operation: median %.2f ms, p99 %.2f ms of %,d",
                sorted[sorted.length / 2], sorted[sorted.length * 99 / 100], sorted.length);
    }

    /** An additional slice for some Service, with endpoints on three nodes. */
    static String slice(LoadShape shape, int i) {
        String service = shape.service(i % shape.services()).name();
        String namespace = shape.service(i % shape.services()).namespace();
        return """
            {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
             "metadata": {"namespace": "%s", "name": "%s-more-%d", "labels": {"kubernetes.io/service-name": "%s"}},
             "endpoints": [{"addresses": ["10.244.0.1"], "nodeName": "%s"}, {"addresses": ["10.244.0.2"], "nodeName": "%s"},
                           {"addresses": ["10.244.0.3"], "nodeName": "%s"}]}
            """.formatted(namespace, service, i, service, node(shape, i), node(shape, i + 7), node(shape, i + 13));
    }

    private static String node(LoadShape shape, int i) {
        return shape.node(Math.floorMod(i * 31, shape.nodes()));
    }

    static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
