package dev.poolkeeper.simulation.invariant;

/** L4: a failover completes in time. */
final class Failover extends Invariant {

    Failover(Scene scene) {
        super(
                "L4 failover",
                "When the leader is killed, another replica leads within the Lease's duration and two jittered retry"
                    + " periods, by its own clock: one to observe the last renewal, one to observe that it expired.",
                scene);
    }

    void check() {
        if (scene().daemons().stream().noneMatch(daemon -> daemon.isLeader())) {
            violated("no replica leads although the Lease has expired");
        }
    }
}
