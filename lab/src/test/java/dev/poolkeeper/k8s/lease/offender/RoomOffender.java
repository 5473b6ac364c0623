package dev.poolkeeper.k8s.lease.offender;

import dev.poolkeeper.k8s.events.KubernetesServiceEvents;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RoomOffender {
    public KubernetesServiceEvents other;
}
