package dev.poolkeeper.core.retry.offender;

import dev.poolkeeper.core.queue.OperationQueue;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class OrderOffender {
    public OperationQueue elsewhere;
}
