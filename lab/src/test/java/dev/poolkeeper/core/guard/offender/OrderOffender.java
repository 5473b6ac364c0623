package dev.poolkeeper.core.guard.offender;

import dev.poolkeeper.core.engine.Engine;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public Engine later;
}
