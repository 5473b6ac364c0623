package dev.poolkeeper.core.engine.offender;

import dev.poolkeeper.core.readiness.ReadinessGate;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public ReadinessGate later;
}
