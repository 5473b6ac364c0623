package dev.poolkeeper.core.plan.offender;

import dev.poolkeeper.core.known.KnownPools;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public KnownPools later;
}
