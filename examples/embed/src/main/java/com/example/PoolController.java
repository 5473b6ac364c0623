package com.example;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** A controller of your own with Poolkeeper's engine inside. */
public final class PoolController {

    private final EndpointIndex cluster;
    private final Engine engine;

    /**
     * @param reconcileLock held by your controller while it changes load balancers itself
     * @param informersHaveSynced whether all Services, EndpointSlices and Nodes were reported to {@link #cluster}
     */
    public PoolController(
            BackendPools pools,
            PoolDirectory directory,
            ServiceEvents events,
            Lock reconcileLock,
            BooleanSupplier informersHaveSynced,
            Time time) {
        cluster = new EndpointIndex(time.steady());
        engine = Engine.builder(cluster, pools, directory, time)
                .settings(EngineSettings.DEFAULT)
                .serviceReconcileLock(reconcileLock)
                .events(events)
                .hasSynced(informersHaveSynced)
                .build();
    }

    /** Where your informers report Services, EndpointSlices and Nodes. */
    public ClusterListener cluster() {
        return cluster;
    }

    /** This process leads until {@link #stop}. */
    public void lead() {
        engine.startLeading(Term.untilEnded());
    }

    /** Does what is due in the calling thread. Returns when to call it again, unless {@code onWake} says sooner. */
    public Instant step() {
        return engine.step();
    }

    /** @param task told that {@link #step} should be called now; from any thread */
    public void onWake(Runnable task) {
        engine.onWake(task);
    }

    public void stop() {
        engine.shutdown();
    }
}
