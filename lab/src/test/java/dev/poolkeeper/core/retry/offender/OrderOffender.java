package dev.poolkeeper.core.retry.offender;

import dev.poolkeeper.core.queue.OperationQueue;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public OperationQueue elsewhere;
}
