package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;

/**
 * A completed call to the cloud.
 *
 * @param at when it was made
 * @param method {@code GET} or {@code PUT}
 * @param pool the pool, in the cloud's spelling if it exists
 * @param status the HTTP status; 200 for every success
 */
public record Call(Instant at, String method, PoolKey pool, int status) {}
