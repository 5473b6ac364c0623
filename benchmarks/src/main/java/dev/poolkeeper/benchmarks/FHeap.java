package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The heap used by index and queue for 10,000 Services with three slices of 100 endpoints each, and an operation for
 * every Service: the used heap after a full collection, minus the used heap before. Runs in a separate JVM.
 */
public final class FHeap {

    static final String NAME = "FHeap";

    private static final int SERVICES = 10_000;
    private static final int NODES = 1_000;

    private FHeap() {}

    /** Measures each model in a separate JVM. */
    static List<Measured> run(Arguments arguments) throws IOException, InterruptedException {
        List<Measured> results = new ArrayList<>();
        for (String model : List.of("desired", "diff")) {
            List<String> options = new ArrayList<>(List.of("-Xmx2g", "-XX:+UseSerialGC"));
            options.addAll(arguments.recording("F-" + model));
            String line = OwnJvm.run(FHeap.class, options, model);
            results.add(new Measured("F-" + model, Double.parseDouble(line), "MB", null));
        }
        return results;
    }

    public static void main(String[] args) {
        Peer.require(args.length == 1, "a model", args.length);
        Peer.window(0, 0, 1); // the addresses belong to the inputs
        World[] kept = new World[1];
        long before = usedHeap();
        EndpointIndex index = new EndpointIndex(() -> Instant.EPOCH);
        kept[0] = new World(Peer.model(args[0]), index, new MemoryPools());
        fill(index, kept[0]);
        long used = usedHeap() - before;
        kept[0].requireWaiting(SERVICES);
        System.out.println(used / 1e6);
    }

    private static void fill(EndpointIndex index, World world) {
        for (int i = 0; i < SERVICES; i++) {
            index.serviceChanged(new ServiceState(Peer.service(i), "LoadBalancer", "Local", List.of("IPv4")));
        }
        index.locate(IntStream.range(0, SERVICES).mapToObj(Peer::pool).toList());
        for (int j = 0; j < NODES; j++) {
            index.nodeChanged(Peer.node(j));
        }
        for (int i = 0; i < SERVICES; i++) {
            index.sliceChanged(slice(i, 0, 0));
            index.sliceChanged(slice(i, 1, SliceStates.ENDPOINTS));
            index.sliceChanged(slice(i, 2, SliceStates.ENDPOINTS));
        }
        world.forgetWhatWaits();
        for (int i = 0; i < SERVICES; i++) {
            index.sliceChanged(slice(i, 0, SliceStates.ENDPOINTS));
        }
    }

    private static EndpointSliceState slice(int i, int s, int endpoints) {
        ServiceName service = Peer.service(i);
        return SliceStates.slice(
                service, service.name() + "-" + s, endpoints, e -> (i * 7 + s * SliceStates.ENDPOINTS + e) % NODES);
    }

    /** The used heap after a full collection. */
    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
