package dev.poolkeeper.core.classify.offender;

import dev.poolkeeper.core.guard.Guards;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class OrderOffender {
    public Guards later;
}
