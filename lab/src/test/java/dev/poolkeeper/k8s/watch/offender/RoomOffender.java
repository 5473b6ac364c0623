package dev.poolkeeper.k8s.watch.offender;

import dev.poolkeeper.k8s.lease.LeaderElection;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public LeaderElection other;
}
