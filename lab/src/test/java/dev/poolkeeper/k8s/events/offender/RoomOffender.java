package dev.poolkeeper.k8s.events.offender;

import dev.poolkeeper.k8s.permissions.Permission;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public Permission other;
}
