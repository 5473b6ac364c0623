package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A tick in which each of {@code n} groups is parked because of a {@code Retry-After}. */
@State(Scope.Thread)
public class ParkedTick {

    private static final Instant NEXT = FakeTime.START.plusSeconds(3_600);

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000", "20000"})
    public int n;

    private final Throttled pools = new Throttled();
    private World world = new World(UpdateModel.DESIRED_STATE, new WantedSets(0), new MemoryPools());

    /** Answers every call with 429, and counts the calls. */
    private static final class Throttled implements BackendPools {
        private long calls;

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            calls++;
            return Reply.failed(Failure.Throttled.byArm(NEXT, ArmError.ofStatus(429)));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            throw new IllegalStateException("a write of a pool that could not be read");
        }
    }

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        WantedSets view = new WantedSets(n);
        MemoryPools directory = new MemoryPools();
        IntStream.range(0, n).forEach(i -> directory.put(Peer.pool(i), AddressSet.empty()));
        world = new World(updateModel, view, pools, directory, UnaryOperator.identity());
        IntStream.range(0, n).forEach(i -> view.make(Peer.round(updateModel, i, 0, 20)));
        world.tick();
        Peer.require(pools.calls == n, n + " calls that are throttled", pools.calls);
        world.requireWaiting(n);
    }

    @Benchmark
    public Instant tick() {
        world.tick();
        Instant next = world.engine.nextEligibleAt().orElse(Instant.MAX);
        Peer.require(next.equals(NEXT), "to wait until " + NEXT, next);
        Peer.require(pools.calls == n, "no further call", pools.calls - n);
        return next;
    }

    @TearDown
    public void check() {
        world.requireWaiting(n);
    }
}
