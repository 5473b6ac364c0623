package dev.poolkeeper.simulation.invariant;

/** L4: somebody leads again soon. */
final class Failover extends Invariant {

    Failover(Scene scene) {
        super(
                "L4 failover",
                "When the leader is killed, another one leads within the Lease's duration and one jittered retry"
                        + " period, by its own clock.",
                scene);
    }

    void check() {
        if (scene().daemons().stream().noneMatch(daemon -> daemon.isLeader())) {
            violated("nobody leads though the Lease has run out");
        }
    }
}
