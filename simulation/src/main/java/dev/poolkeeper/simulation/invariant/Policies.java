package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** P1. That a policy which does not count changes no budget is held against the bounds of S8 and L5. */
final class Policies extends Invariant {

    Policies(Scene scene) {
        super(
                "P1 policy statuses",
                "Only a leader writes the status of a policy, and only where it says something else than the object"
                        + " that the process was shown.",
                scene);
    }

    @Override
    public void statusSent(SimulatedDaemon daemon, String policy, boolean isNews) {
        if (!daemon.isLeader()) {
            violated("%s does not lead and writes the status of %s", daemon, policy);
        } else if (!isNews) {
            violated("%s writes the status of %s, which says that already", daemon, policy);
        }
    }
}
