package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.Map;

/** S6. */
final class Serialization extends Invariant {

    private static final long EVERY = 5 * Timeline.SECONDS;

    /** The deadline of an operation, and a few seconds for what ends it. */
    private static final long LONGEST = 130 * Timeline.SECONDS;

    private final Map<SimulatedDaemon, Map<ArmName, PoolKey>> writing = new HashMap<>();

    /** When the call in progress for each load balancer began, by the machine's monotonic clock. */
    private final Map<SimulatedDaemon, Map<ArmName, Long>> serving = new HashMap<>();

    private long next = EVERY;

    Serialization(Scene scene) {
        super(
                "S6 serialization",
                "A process has at most one write in progress for each load balancer, and processes one of its pools at"
                    + " a time. A read or write ends within 130 s, by its own clock, if an operation may take 120 s.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private Map<ArmName, Long> serving(SimulatedDaemon daemon) {
        return serving.computeIfAbsent(daemon, key -> new HashMap<>());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) -> begins(daemon, call.pool());
            case Observation.Published(SimulatedDaemon daemon, Fact.CallEnded call) ->
                serving(daemon).remove(call.pool().loadBalancer());
            case Observation.Put put -> put(put.daemon(), put.read().key());
            case Observation.WriteOver(SimulatedDaemon daemon, PoolKey pool) ->
                writing.computeIfAbsent(daemon, key -> new HashMap<>()).remove(pool.loadBalancer());
            default -> {}
        }
    }

    private void begins(SimulatedDaemon daemon, PoolKey pool) {
        if (serving(daemon).putIfAbsent(pool.loadBalancer(), clock(daemon)) != null) {
            violated("%s starts a call for %s while another call for its load balancer is in progress", daemon, pool);
        }
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            boolean isExcused = daemon.process().isPaused() || daemon.machine().wasOutOfStepSince(now() - EVERY);
            long clock = clock(daemon);
            serving(daemon).replaceAll((loadBalancer, since) -> isExcused ? Long.valueOf(clock) : since);
            serving(daemon).forEach((loadBalancer, since) -> {
                if (clock - since > LONGEST) {
                    violated("%s has been in a call for %s for %s", daemon, loadBalancer, seconds(clock - since));
                }
            });
        }
    }

    private void put(SimulatedDaemon daemon, PoolKey pool) {
        PoolKey other = writing.computeIfAbsent(daemon, key -> new HashMap<>()).putIfAbsent(pool.loadBalancer(), pool);
        if (other != null) {
            violated("%s writes %s while its write of %s is in progress", daemon, pool, other);
        }
    }
}
