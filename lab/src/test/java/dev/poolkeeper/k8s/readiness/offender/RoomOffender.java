package dev.poolkeeper.k8s.readiness.offender;

import dev.poolkeeper.k8s.watch.ClusterWatcher;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RoomOffender {
    public ClusterWatcher other;
}
