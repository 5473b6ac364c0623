package dev.poolkeeper.azure.pool;

import java.util.Map;
import java.util.Optional;

/**
 * The source from which a pool that was read is written back.
 *
 * @param body the body from ARM; never modified
 * @param refusal why the pool must not be written; empty if it may be
 */
record ReadPool(Map<?, ?> body, Optional<String> refusal) {}
