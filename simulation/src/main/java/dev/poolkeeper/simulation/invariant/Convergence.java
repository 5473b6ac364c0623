package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.Map;

/** L1, L3 and L4: eventually the pools match their desired state. */
final class Convergence extends Invariant {

    Convergence(String name, String promise, Scene scene) {
        super(name, promise, scene);
    }

    static Convergence afterFaults(Scene scene) {
        return new Convergence(
                "L1 convergence",
                "When faults and changes have stopped, every pool matches its desired state within 150 s, and"
                        + " stays so.",
                scene);
    }

    static Convergence afterCrash(Scene scene) {
        return new Convergence(
                "L3 crash recovery",
                "If all daemons are killed at any step and restarted, every pool matches its desired state within"
                        + " 150 s, without any new event.",
                scene);
    }

    static Convergence afterDrift(Scene scene) {
        return new Convergence(
                "L4 repair",
                "A pool that another writer changed, and an update that exhausted its retries, are repaired by the"
                        + " comparison without an event of the cluster, within 105 s if pools are compared every 60 s.",
                scene);
    }

    void check() {
        for (Map.Entry<PoolKey, AddressSet> entry :
                scene().truth().wanted(scene().arm()).entrySet()) {
            AddressSet held = scene().arm().held(entry.getKey());
            if (!held.equals(entry.getValue())) {
                violated("%s holds %s and should hold %s", entry.getKey(), held, entry.getValue());
            }
        }
    }
}
