package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineBuilder;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * An engine that leads and has listed its pools, on a clock that moves from tick to tick. It has no guards and compares
 * nothing, like the Go updater: a benchmark's changes empty and fill pools as no real cluster would.
 */
final class World {

    private static final Duration INTERVAL = EngineSettings.REFERENCE.pace().interval();

    final FakeTime time = new FakeTime();
    final AtomicLong events = new AtomicLong();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    final Engine engine;
    private CompletableFuture<Void> lastTick = CompletableFuture.completedFuture(null);

    /** Processes all load balancers on the ticking thread. */
    World(UpdateModel model, ClusterView view, MemoryPools pools) {
        this(model, view, pools, pools, UnaryOperator.identity());
    }

    /** @param more configures the engine further */
    World(
            UpdateModel model,
            ClusterView view,
            BackendPools pools,
            PoolDirectory directory,
            UnaryOperator<EngineBuilder> more) {
        EngineSettings settings = EngineSettings.REFERENCE.withModel(model).withDirectoryRefresh(Duration.ZERO);
        EngineBuilder builder = Engine.builder(view, pools, directory, time)
                .hasSynced(() -> true)
                .settings(settings)
                .events(event -> events.incrementAndGet())
                .lister(Runnable::run)
                .executor(tasks::add)
                .ticks(tick -> lastTick = tick.get());
        engine = more.apply(builder).build();
        engine.startLeading(Term.untilEnded());
        engine.step(); // lists
        tick();
    }

    /** One tick, from its start until every load balancer is free. */
    void tick() {
        time.advance(INTERVAL);
        engine.step();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        lastTick.join();
    }

    /** Drops pending operations in constant time. Nothing is sent before the next listing. */
    void forgetWhatWaits() {
        engine.stopLeading();
        engine.startLeading(Term.untilEnded());
    }

    /** Whether nothing is pending, parked or not. Costs next to nothing. */
    boolean isIdle() {
        return engine.nextEligibleAt().isEmpty();
    }

    /**
     * The number of pending operations. The cost is proportional to the parked operations and the Services of the view.
     */
    int waiting() {
        return engine.status().work().operations();
    }

    void requireWaiting(int operations) {
        int found = waiting();
        Peer.require(found == operations, operations + " operations", found);
    }
}
