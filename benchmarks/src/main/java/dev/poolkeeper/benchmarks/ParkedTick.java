package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.core.plan.UpdateModel;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A tick in which every one of {@code n} groups has to wait until after a {@code Retry-After}. */
@State(Scope.Thread)
public class ParkedTick {

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000", "20000"})
    public int n;

    private MemoryPools pools = new MemoryPools();
    private World world = new World(UpdateModel.DESIRED_STATE, 0, pools);

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        pools = new MemoryPools();
        world = new World(updateModel, n, pools);
        for (int i = 0; i < n; i++) {
            PendingOperation pending = PendingOperation.fresh(Peer.operation(updateModel, i, Peer.window(i, 0, 20)), i);
            world.queue.requeue(
                    pending.operation().pool(),
                    List.of(pending.retried(world.clock.instant().plus(Duration.ofHours(1)))));
        }
    }

    @Benchmark
    public int tick() {
        world.updater.process();
        int waiting = world.queue.size();
        Peer.require(waiting == n, n + " operations", waiting);
        Peer.require(pools.reads() == 0, "no read", pools.reads());
        return waiting;
    }
}
