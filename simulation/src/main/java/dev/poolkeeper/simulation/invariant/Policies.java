package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S24. S8 and L5 check that a policy which is not in force changes no budget. */
final class Policies extends Invariant {

    Policies(Scene scene) {
        super(
                "S24 policy statuses",
                "Only a leader writes the status of a retry policy, and only if it differs from that of the"
                        + " object that the process received. The time of a condition's last transition changes only"
                        + " with its status, and always then.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        if (!(observed
                instanceof
                Observation.StatusSent(SimulatedDaemon daemon, String policy, boolean isNews, boolean isDated))) {
            return;
        }
        if (!daemon.isLeader()) {
            violated("%s writes the status of %s without being leader", daemon, policy);
        } else if (!isNews) {
            violated("%s writes the status of %s, which is already up to date", daemon, policy);
        } else if (!isDated) {
            violated("%s writes a wrong time of transition into the status of %s", daemon, policy);
        }
    }
}
