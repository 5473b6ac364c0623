package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.Failure;
import java.time.Instant;

/**
 * ARM answered 403 to a call for a pool.
 *
 * @param write whether it was a write
 * @param times how often it has answered so before, without a success in between
 * @param until when the pool is tried again
 * @param answer what ARM answered
 */
public record Refusal(boolean write, int times, Instant until, Failure answer) {}
