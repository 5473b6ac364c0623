package dev.poolkeeper.core.examples;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** The daemon's engine, embedded in another controller. */
final class EmbeddedUpdater {

    private final EndpointIndex view;
    private final Engine engine;
    private final InstantSource clock;
    private Future<?> next = CompletableFuture.completedFuture(null);

    /** @param reconcileLock the lock under which your controller changes Services and load balancers */
    EmbeddedUpdater(
            BackendPools pools,
            PoolDirectory directory,
            ResourceLock resourceLock,
            ServiceEvents events,
            Lock reconcileLock,
            BooleanSupplier informersHaveSynced,
            EngineSettings settings,
            Time time) {
        clock = time.steady();
        view = new EndpointIndex(clock);
        engine = Engine.builder(view, pools, directory, time)
                .settings(settings)
                .serviceReconcileLock(reconcileLock)
                .resourceLock(resourceLock)
                .events(events)
                .hasSynced(informersHaveSynced)
                .build();
    }

    /** Call this from the handlers of your informers, from any thread. */
    ClusterListener cluster() {
        return view;
    }

    /** Lists the load balancers and updates pools when they are due, in the executor's only thread. */
    void start(ScheduledExecutorService executor) {
        engine.onWake(() -> executor.execute(() -> step(executor)));
        executor.execute(() -> step(executor));
    }

    private void step(ScheduledExecutorService executor) {
        next.cancel(false);
        Instant latest = engine.step();
        next = executor.schedule(
                () -> step(executor), Duration.between(clock.instant(), latest).toNanos(), TimeUnit.NANOSECONDS);
    }

    /** This process became the leader. Nothing is written before this call, and a listing after it. */
    void lead(BooleanSupplier isLeader) {
        engine.startLeading(Term.during(isLeader));
    }

    /** Another process leads. The engine keeps watching, and may lead again. */
    void follow() {
        engine.stopLeading();
    }

    /** For operators: the status, pauses, and the approval of large removals. */
    Engine engine() {
        return engine;
    }

    /** Nothing is sent, reported or requeued after this. The executor is yours to end. */
    void stop() {
        engine.shutdown();
    }
}
