package dev.poolkeeper.core.cluster.offender;

import dev.poolkeeper.core.pool.Operation;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class OrderOffender {
    public Operation later;
}
