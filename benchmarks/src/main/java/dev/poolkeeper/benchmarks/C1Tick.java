package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.queue.Operation;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One tick over pools in memory. Every pool gets exactly one read and one write, whatever its number of operations. */
@State(Scope.Thread)
public class C1Tick {

    @Param({"desired", "diff"})
    public String model = "";

    /** Pools, operations a pool, addresses an operation. */
    @Param({"1000x1x20", "1000x10x20", "10000x2x50", "10000x1x100"})
    public String shape = "";

    private Shape size = new Shape(0, 0, 0);
    private MemoryPools pools = new MemoryPools();
    private World world = new World(UpdateModel.DESIRED_STATE, 0, pools);
    private List<List<PendingOperation>> groups = List.of();
    private AddressSet expected = AddressSet.empty();

    @Setup
    public void prepare() {
        size = Shape.parse(shape);
        pools = size.pools(new MemoryPools());
        UpdateModel updateModel = Peer.model(model);
        world = new World(updateModel, size.pools(), pools);
        groups = new ArrayList<>();
        Operation[] operations = size.operations(updateModel);
        for (int i = 0; i < size.pools(); i++) {
            List<PendingOperation> group = new ArrayList<>();
            for (int at = i; at < operations.length; at += size.pools()) {
                group.add(PendingOperation.fresh(operations[at], at));
            }
            groups.add(group);
        }
        expected = expected(updateModel);
    }

    /** What the first pool holds in the end, found the slow way. */
    private AddressSet expected(UpdateModel updateModel) {
        AddressSet held = pools.addresses(Peer.pool(0));
        for (int k = 0; k < size.rounds(); k++) {
            AddressSet window = Peer.window(0, k, size.addresses());
            held = updateModel == UpdateModel.DESIRED_STATE
                    ? window
                    : k % 2 == 0 ? held.union(window) : held.minus(window);
        }
        return held;
    }

    /** Puts the operations where they would be without superseding, so that every one of them is folded. */
    @Setup(Level.Invocation)
    public void fill() {
        pools.reset();
        for (List<PendingOperation> group : groups) {
            world.queue.requeue(group.get(0).operation().pool(), group);
        }
    }

    @Benchmark
    public long tick() {
        Peer.require(world.queue.size() == size.operations(), size.operations() + " operations", world.queue.size());
        world.updater.process();
        Peer.require(world.queue.isEmpty(), "an empty queue", world.queue.size());
        Peer.require(pools.reads() == size.pools(), size.pools() + " reads", pools.reads());
        Peer.require(pools.writes() == size.pools(), size.pools() + " writes", pools.writes());
        AddressSet held = pools.addresses(Peer.pool(0));
        Peer.require(held.equals(expected), expected.toString(), held);
        return pools.writes();
    }
}
