package dev.poolkeeper.k8s.kubeconfig.offender;

import dev.poolkeeper.k8s.watch.ClusterWatcher;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public ClusterWatcher other;
}
