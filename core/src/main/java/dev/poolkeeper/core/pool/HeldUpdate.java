package dev.poolkeeper.core.pool;

import java.time.Instant;

/**
 * An update that is held back.
 *
 * @param because why
 * @param since when this cause began to hold it
 */
public record HeldUpdate(HoldCause because, Instant since) {}
