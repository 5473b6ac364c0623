package dev.poolkeeper.azure.pool;

import java.util.Map;
import java.util.Optional;

/**
 * What a pool that was read is written back from.
 *
 * @param body as ARM sent it; never changed
 * @param refusal why the pool must not be written; empty where it may be
 */
record ReadPool(Map<?, ?> body, Optional<String> refusal) {}
