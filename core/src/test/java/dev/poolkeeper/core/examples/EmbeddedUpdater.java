package dev.poolkeeper.core.examples;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Lanes;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's engine, embedded in another controller. */
final class EmbeddedUpdater {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedUpdater.class);

    private final EndpointIndex view;
    private final Engine engine;
    private final List<Future<?>> tasks = new ArrayList<>();

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
        view = new EndpointIndex(time.steady());
        engine = Engine.builder(view, pools, directory, time)
                .settings(settings)
                .lanes(Lanes.oneAfterAnother(reconcileLock))
                .resourceLock(resourceLock)
                .events(events)
                .hasSynced(informersHaveSynced)
                .build();
    }

    /** Call this from the handlers of your informers, from any thread. */
    ClusterListener cluster() {
        return view;
    }

    /** Lists the load balancers and starts updates of pools when they are due. */
    void start(ScheduledExecutorService executor) {
        tasks.add(executor.scheduleWithFixedDelay(engine::listIfDue, 0, 1, TimeUnit.SECONDS));
        tasks.add(executor.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS));
    }

    private void tick() {
        try {
            engine.tick().join();
        } catch (CompletionException e) {
            log.atError().setCause(e).log("A tick failed; the next one goes on");
        }
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

    /** Nothing is sent, reported or requeued after this. */
    void stop() {
        tasks.forEach(task -> task.cancel(false));
        engine.shutdown();
    }
}
