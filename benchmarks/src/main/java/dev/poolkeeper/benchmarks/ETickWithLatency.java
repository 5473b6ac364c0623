package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One tick over 100 pools of ten load balancers where a read takes 20 ms and a write 50 ms. Load balancers are
 * processed in parallel.
 */
@State(Scope.Thread)
public class ETickWithLatency {

    private static final Shape SIZE = new Shape(100, 1, 20);

    @Param({"desired", "diff"})
    public String model = "";

    /** The default limit of load balancers processed in parallel. */
    private static final int MOST_LANES = 16;

    private ExecutorService threads = Executors.newFixedThreadPool(MOST_LANES);
    private MemoryPools pools = new MemoryPools();
    private WantedSets view = new WantedSets(0);
    private World world = new World(UpdateModel.DESIRED_STATE, view, pools);
    private Change[] changes = {};

    /** Delays calls like the Go benchmark. */
    private record Slow(BackendPools pools) implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            sleep(20);
            return pools.read(pool, context);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            sleep(50);
            return pools.write(read, addresses, context);
        }

        private static void sleep(long millis) {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Setup
    public void prepare() {
        pools = SIZE.pools(new MemoryPools());
        view = new WantedSets(SIZE.pools());
        world = new World(
                Peer.model(model),
                view,
                new Slow(pools),
                pools,
                it -> it.executor(threads).sideBySide());
        changes = SIZE.changes(Peer.model(model));
    }

    @TearDown
    public void stop() {
        threads.shutdownNow();
    }

    @Setup(Level.Invocation)
    public void fill() {
        pools.reset();
        for (Change change : changes) {
            view.make(change);
        }
    }

    @Benchmark
    public long tick() {
        world.tick();
        Peer.require(world.isIdle(), "nothing that waits", "something");
        Peer.require(pools.reads() == SIZE.pools(), SIZE.pools() + " reads", pools.reads());
        Peer.require(pools.writes() == SIZE.pools(), SIZE.pools() + " writes", pools.writes());
        return pools.writes();
    }
}
