package dev.poolkeeper.core.guard.offender;

import dev.poolkeeper.core.retry.RetryModel;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RetryOffender {
    public RetryModel notOurs;
}
