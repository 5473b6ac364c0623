package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One watch event of an EndpointSlice, from the informer's thread to the queue, while {@code slices} slices are known.
 * The Service has three slices of 100 endpoints; each event swaps all nodes of the first.
 */
@State(Scope.Thread)
public class DSliceEvent {

    private static final int NODES = 1_000;
    private static final int OWN_SLICES = 3;

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"3", "1000", "10000", "50000"})
    public int slices;

    private World world = new World(UpdateModel.DESIRED_STATE, 0, new MemoryPools());
    private EndpointSliceState here = slice("here", e -> e);
    private EndpointSliceState there = slice("here", e -> 300 + e);
    private int event;

    private static final ServiceName SERVICE = new ServiceName("ns-x", "svc-x");
    private static final PoolKey POOL = PoolKey.of("kubernetes-lb-00", "ns-x-svc-x");

    private static EndpointSliceState slice(String name, IntUnaryOperator node) {
        return SliceStates.slice(SERVICE, name, SliceStates.ENDPOINTS, node);
    }

    @Setup
    public void prepare() {
        world = new World(Peer.model(model), 0, new MemoryPools());
        for (int j = 0; j < NODES; j++) {
            world.index.nodeChanged(Peer.node(j));
        }
        for (int i = 0; i < slices - OWN_SLICES; i++) {
            int node = i;
            world.index.sliceChanged(SliceStates.slice(Peer.service(i), "slice-" + i, 1, e -> node % NODES));
        }
        world.index.serviceChanged(new ServiceState(SERVICE, "LoadBalancer", "Local", List.of("IPv4")));
        here = slice("svc-x-0", e -> e);
        there = slice("svc-x-0", e -> 300 + e);
        world.index.sliceChanged(here);
        world.index.sliceChanged(slice("svc-x-1", e -> 100 + e));
        world.index.sliceChanged(slice("svc-x-2", e -> 200 + e));
        world.index.locationsChanged(dev.poolkeeper.core.cluster.PoolLocations.of(new ArrayList<>(List.of(POOL))));
        Peer.require(world.queue.size() == 1, "the adopted pool", world.queue.size());
        world.queue.drain();
    }

    @Benchmark
    public int sliceEvent() {
        world.index.sliceChanged((event++ & 1) == 0 ? there : here);
        int queued = world.queue.size();
        Peer.require(queued > 0, "something queued", queued);
        if (queued > 2_000) { // diff has no superseding: it would grow for as long as is measured
            world.queue.drain();
        }
        return queued;
    }
}
