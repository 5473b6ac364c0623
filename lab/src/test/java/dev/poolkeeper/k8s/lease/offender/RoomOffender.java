package dev.poolkeeper.k8s.lease.offender;

import dev.poolkeeper.k8s.events.KubernetesServiceEvents;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public KubernetesServiceEvents other;
}
