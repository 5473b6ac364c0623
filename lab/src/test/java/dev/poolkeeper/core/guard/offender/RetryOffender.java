package dev.poolkeeper.core.guard.offender;

import dev.poolkeeper.core.retry.RetryModel;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RetryOffender {
    public RetryModel notOurs;
}
