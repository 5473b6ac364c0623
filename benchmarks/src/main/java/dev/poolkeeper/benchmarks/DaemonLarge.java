package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.kubeconfig.ApiServers;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Runs the daemon in a separate JVM on a generated cluster with both emulators, and prints its time until ready, memory
 * and CPU usage; then the time from a watch event to the queued operation with the whole cluster cached.
 */
public final class DaemonLarge {

    static final int CHANGES = 2_000;

    private DaemonLarge() {}

    /**
     * @param args a folder for generated files, the daemon's heap as {@code -Xmx} takes it, {@code small} or
     *     {@code largest}
     */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length == 3, "a folder, a heap and a size", args.length);
        Path folder = Path.of(args[0]);
        LoadShape shape = args[2].equals("small") ? LoadShape.DEFAULTS : LoadShape.LARGEST;
        try (EmulatedCluster cluster = EmulatedCluster.start(shape, folder)) {
            print(
                    "%,d nodes, %,d Services, %,d slices, %,d endpoints on %d load balancers",
                    shape.nodes(),
                    shape.services(),
                    shape.services() * shape.slicesPerService(),
                    shape.services() * shape.slicesPerService() * shape.endpointsPerSlice(),
                    shape.loadBalancers());
            daemon(cluster, shape, args[1]);
            if (shape.services() >= CHANGES) { // each change is in a different Service
                eventToQueue(cluster.kube(), shape, folder);
            }
        }
    }

    /** Paused at first, so that the measurement covers the initial lists, the listing and the full queue. */
    private static void daemon(EmulatedCluster cluster, LoadShape shape, String heap)
            throws IOException, InterruptedException {
        Path config = cluster.configuration("paused: true");
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"));
        try (StartedDaemon daemon = StartedDaemon.start(java, config)) {
            print("ready %.2f s after the start of the JVM", daemon.readySeconds());
            TimeUnit.SECONDS.sleep(10); // leadership, the first comparison, and one or two collections
            print(
                    "resident memory: peak %s, after ten seconds %s (heap limited to %s)",
                    daemon.memory("VmHWM"), daemon.memory("VmRSS"), heap);
            cluster.configuration("paused: false");
            new DaemonLoad(cluster.kube(), cluster.arm(), shape, daemon.process()).measure();
            print("resident memory: peak after that %s", daemon.memory("VmHWM"));
        }
    }

    private static void eventToQueue(KubeEmulator kube, LoadShape shape, Path folder)
            throws InterruptedException, BadInputException {
        double[] millis = new double[CHANGES];
        SystemTime time = new SystemTime();
        EndpointIndex index = new EndpointIndex(time);
        World world = new World(UpdateModel.DESIRED_STATE, index, new MemoryPools());
        index.locate(shape.pools());
        try (time;
                KubernetesClient client = KubernetesClients.forObjects(
                        new ApiServers(System.getenv(), time).inFile(folder.resolve("kubeconfig"), null));
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
