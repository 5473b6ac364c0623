package dev.poolkeeper.simulation.invariant;

/** L4: somebody leads again soon. */
final class Failover extends Invariant {

    Failover(Scene scene) {
        super(
                "L4 failover",
                "When the leader is killed, another one leads within the Lease's duration and two jittered retry"
                        + " periods, by its own clock: one to see the last renewal, one to see that it ran out.",
                scene);
    }

    void check() {
        if (scene().daemons().stream().noneMatch(daemon -> daemon.isLeader())) {
            violated("nobody leads though the Lease has run out");
        }
    }
}
