package dev.poolkeeper.core.queue.offender;

import dev.poolkeeper.core.classify.FailureClass;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class OrderOffender {
    public FailureClass later;
}
