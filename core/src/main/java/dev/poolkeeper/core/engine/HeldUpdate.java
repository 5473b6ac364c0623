package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.Held;
import java.time.Instant;

/**
 * A pool's update that is held back.
 *
 * @param because why
 * @param since since when it is held for that cause
 */
record HeldUpdate(Held because, Instant since) {}
