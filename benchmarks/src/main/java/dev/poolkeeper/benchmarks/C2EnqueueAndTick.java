package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.queue.Operation;
import dev.poolkeeper.core.plan.UpdateModel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Queues operations and ticks once over pools in memory; in desired-state operations of one Service supersede. */
@State(Scope.Thread)
public class C2EnqueueAndTick {

    @Param({"desired", "diff"})
    public String model = "";

    /** Pools, operations a pool, addresses an operation. */
    @Param({"1000x10x20", "10000x2x50"})
    public String shape = "";

    private Shape size = new Shape(0, 0, 0);
    private MemoryPools pools = new MemoryPools();
    private World world = new World(UpdateModel.DESIRED_STATE, 0, pools);
    private Operation[] operations = {};

    @Setup
    public void prepare() {
        size = Shape.parse(shape);
        pools = size.pools(new MemoryPools());
        world = new World(Peer.model(model), size.pools(), pools);
        operations = size.operations(Peer.model(model));
    }

    @Setup(Level.Invocation)
    public void reset() {
        pools.reset();
    }

    @Benchmark
    public long enqueueAndTick() {
        for (Operation operation : operations) {
            world.queue.add(operation);
        }
        world.updater.process();
        Peer.require(world.queue.isEmpty(), "an empty queue", world.queue.size());
        Peer.require(pools.reads() == size.pools(), size.pools() + " reads", pools.reads());
        Peer.require(pools.writes() == size.pools(), size.pools() + " writes", pools.writes());
        return pools.writes();
    }
}
