package dev.poolkeeper.core.known.offender;

import dev.poolkeeper.core.guard.Guards;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class OrderOffender {
    public Guards later;
}
