package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
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

    /**
     * The queue is reset after this many events, because in {@code diff} it would grow during the whole measurement.
     */
    private static final int MOST_EVENTS = 1_000;

    private EndpointIndex index = new EndpointIndex(() -> Instant.EPOCH);
    private World world = new World(UpdateModel.DESIRED_STATE, index, new MemoryPools());
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
        index = new EndpointIndex(() -> Instant.EPOCH);
        world = new World(Peer.model(model), index, new MemoryPools());
        for (int j = 0; j < NODES; j++) {
            index.nodeChanged(Peer.node(j));
        }
        for (int i = 0; i < slices - OWN_SLICES; i++) {
            int node = i;
            index.sliceChanged(SliceStates.slice(Peer.service(i), "slice-" + i, 1, e -> node % NODES));
        }
        index.serviceChanged(new ServiceState(SERVICE, "LoadBalancer", "Local", List.of("IPv4")));
        here = slice("svc-x-0", e -> e);
        there = slice("svc-x-0", e -> 300 + e);
        index.sliceChanged(here);
        index.sliceChanged(slice("svc-x-1", e -> 100 + e));
        index.sliceChanged(slice("svc-x-2", e -> 200 + e));
        index.locate(List.of(POOL));
        world.requireWaiting(1); // the adopted pool
        world.forgetWhatWaits();
    }

    @Benchmark
    public int sliceEvent() {
        index.sliceChanged((event++ & 1) == 0 ? there : here);
        Peer.require(!world.isIdle(), "something queued", "nothing");
        if (event % MOST_EVENTS == 0) {
            world.forgetWhatWaits();
        }
        return event;
    }
}
