package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.merge.UpdateModel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reports changes and ticks once over pools in memory. In {@code desired-state} each Service has one pending operation,
 * however often it changed.
 */
@State(Scope.Thread)
public class C2EnqueueAndTick {

    @Param({"desired", "diff"})
    public String model = "";

    /** Pools x changes per pool x addresses per change. */
    @Param({"1000x10x20", "10000x2x50"})
    public String shape = "";

    private Shape size = new Shape(0, 0, 0);
    private MemoryPools pools = new MemoryPools();
    private WantedSets view = new WantedSets(0);
    private World world = new World(UpdateModel.DESIRED_STATE, view, pools);
    private Change[] changes = {};

    @Setup
    public void prepare() {
        size = Shape.parse(shape);
        pools = size.pools(new MemoryPools());
        view = new WantedSets(size.pools());
        world = new World(Peer.model(model), view, pools);
        changes = size.changes(Peer.model(model));
    }

    @Setup(Level.Invocation)
    public void reset() {
        pools.reset();
    }

    @Benchmark
    public long enqueueAndTick() {
        for (Change change : changes) {
            view.make(change);
        }
        world.tick();
        Peer.require(world.isIdle(), "nothing that waits", "something");
        Peer.require(pools.reads() == size.pools(), size.pools() + " reads", pools.reads());
        Peer.require(pools.writes() == size.pools(), size.pools() + " writes", pools.writes());
        return pools.writes();
    }
}
