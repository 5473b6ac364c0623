package dev.poolkeeper.core.cluster.offender;

import dev.poolkeeper.core.queue.Operation;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public Operation later;
}
