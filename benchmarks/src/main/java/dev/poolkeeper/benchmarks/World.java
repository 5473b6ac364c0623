package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Lanes;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Term;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An engine that leads and has listed its pools, on a stopped clock. It has no guards and compares nothing, like the Go
 * updater: a benchmark's changes empty and fill pools as no real cluster would.
 */
final class World {

    final FakeTime time = new FakeTime();
    final AtomicLong events = new AtomicLong();
    final Engine engine;

    /** Processes all load balancers on the ticking thread. */
    World(UpdateModel model, ClusterView view, MemoryPools pools) {
        this(model, view, pools, pools, Lanes.oneAfterAnother(new ReentrantLock()));
    }

    World(UpdateModel model, ClusterView view, BackendPools pools, PoolDirectory directory, Lanes lanes) {
        engine = Engine.builder(view, pools, directory, time)
                .hasSynced(() -> true)
                .settings(EngineSettings.REFERENCE.withModel(model))
                .events(event -> events.incrementAndGet())
                .lanes(lanes)
                .build();
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
    }

    /** One tick, from its start until every load balancer is free. */
    void tick() {
        engine.tick().join();
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
