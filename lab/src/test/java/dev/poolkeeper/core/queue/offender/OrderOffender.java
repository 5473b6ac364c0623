package dev.poolkeeper.core.queue.offender;

import dev.poolkeeper.core.plan.FailureClass;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public FailureClass later;
}
