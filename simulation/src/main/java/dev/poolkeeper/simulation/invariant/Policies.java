package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** S24. S8 and L5 check that a policy which is not in force changes no budget. */
final class Policies extends Invariant {

    Policies(Scene scene) {
        super(
                "S24 policy statuses",
                "Only a leader writes the status of a policy, and only if it differs from that of the object"
                        + " that the process received.",
                scene);
    }

    @Override
    public void statusSent(SimulatedDaemon daemon, String policy, boolean isNews) {
        if (!daemon.isLeader()) {
            violated("%s writes the status of %s without being leader", daemon, policy);
        } else if (!isNews) {
            violated("%s writes the status of %s, which is already up to date", daemon, policy);
        }
    }
}
