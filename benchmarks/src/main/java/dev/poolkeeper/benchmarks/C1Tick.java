package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One tick over pools in memory. Every pool gets exactly one read and one write, however often its Service changed: in
 * {@code diff} each change is an operation to be folded, in {@code desired-state} the tick sees only the last one.
 */
@State(Scope.Thread)
public class C1Tick {

    @Param({"desired", "diff"})
    public String model = "";

    /** Pools x changes per pool x addresses per change. */
    @Param({"1000x1x20", "1000x10x20", "10000x2x50", "10000x1x100"})
    public String shape = "";

    private Shape size = new Shape(0, 0, 0);
    private MemoryPools pools = new MemoryPools();
    private WantedSets view = new WantedSets(0);
    private World world = new World(UpdateModel.DESIRED_STATE, view, pools);
    private Change[] changes = {};
    private AddressSet expected = AddressSet.empty();

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        size = Shape.parse(shape);
        pools = size.pools(new MemoryPools());
        expected = expected(updateModel); // before the first tick empties the pools
        view = new WantedSets(size.pools());
        world = new World(updateModel, view, pools);
        changes = size.changes(updateModel);
    }

    /** The final content of the first pool, computed in a simple, slow way. */
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

    @Setup(Level.Invocation)
    public void fill() {
        pools.reset();
        for (Change change : changes) {
            view.make(change);
        }
        world.requireWaiting(size.operations(Peer.model(model)));
    }

    @Benchmark
    public long tick() {
        world.tick();
        Peer.require(world.isIdle(), "nothing that waits", "something");
        Peer.require(pools.reads() == size.pools(), size.pools() + " reads", pools.reads());
        Peer.require(pools.writes() == size.pools(), size.pools() + " writes", pools.writes());
        AddressSet held = pools.addresses(Peer.pool(0));
        Peer.require(held.equals(expected), expected.toString(), held);
        return pools.writes();
    }
}
