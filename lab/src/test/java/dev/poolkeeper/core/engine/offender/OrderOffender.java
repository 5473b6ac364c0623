package dev.poolkeeper.core.engine.offender;

import dev.poolkeeper.core.readiness.ReadinessGate;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class OrderOffender {
    public ReadinessGate later;
}
