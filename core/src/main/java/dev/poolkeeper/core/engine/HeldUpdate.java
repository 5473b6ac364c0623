package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
import java.time.Instant;

/**
 * A held update of a pool.
 *
 * @param because the cause
 * @param since when the update was first held for that cause
 */
record HeldUpdate(Held because, Instant since) {}
