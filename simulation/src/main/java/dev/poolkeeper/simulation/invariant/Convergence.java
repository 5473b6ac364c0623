package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.Map;

/** L1, L3 and L4: eventually the pools match their desired state. Says nothing while a retry budget is exhausted. */
final class Convergence extends Invariant {

    /** More than the wait before a refused retry asks again, by a slow clock. */
    private static final long REFUSED = 10 * Timeline.SECONDS;

    /** How long the updates that the budget let wait may take, each in its turn. */
    private static final long TURNS = 60 * Timeline.SECONDS;

    private long lastRefusedRetry = -TURNS;
    private long lastTurn = -REFUSED;

    Convergence(String name, String promise, Scene scene) {
        super(name, promise, scene);
    }

    static Convergence afterFaults(Scene scene) {
        return new Convergence(
                "L1 convergence",
                "When faults and changes have stopped, every pool matches its desired state within 165 s, and"
                        + " stays so, unless the retry budget is exhausted.",
                scene);
    }

    static Convergence afterCrash(Scene scene) {
        return new Convergence(
                "L3 crash recovery",
                "If all daemons are killed at any step and restarted, every pool matches its desired state within"
                        + " 165 s, without any new event, unless the retry budget is exhausted.",
                scene);
    }

    static Convergence afterDrift(Scene scene) {
        return new Convergence(
                "L4 repair",
                "A pool that another writer changed is repaired by the comparison, without an event of the"
                        + " cluster, within 105 s if pools are compared every 60 s and the retry budget is not"
                        + " exhausted.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Withdrew withdrew when !withdrew.admitted() -> lastRefusedRetry = now();
            case Observation.Published(SimulatedDaemon daemon, Fact.RetryRefused refused) -> lastRefusedRetry = now();
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) -> called();
            case Observation.Published(SimulatedDaemon daemon, Fact.CallEnded call) -> called();
            default -> {}
        }
    }

    private void called() {
        if (mayBeLate() && lastRefusedRetry > now() - TURNS) {
            lastTurn = now();
        }
    }

    /** Whether a pool may have to wait for the retry budget, or for others that waited for it. */
    boolean mayBeLate() {
        return Math.max(lastRefusedRetry, lastTurn) > now() - REFUSED;
    }

    void check() {
        if (mayBeLate()) {
            return;
        }
        for (Map.Entry<PoolKey, AddressSet> entry :
                scene().truth().wanted(scene().arm()).entrySet()) {
            AddressSet held = scene().arm().held(entry.getKey());
            if (!held.equals(entry.getValue())) {
                violated("%s holds %s and should hold %s", entry.getKey(), held, entry.getValue());
            }
        }
    }
}
