package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;

/**
 * A call that the cloud answered.
 *
 * @param at when
 * @param method {@code GET} or {@code PUT}
 * @param pool the pool, in the cloud's spelling where it knows it
 * @param status the answer's HTTP status; 200 for every success
 */
public record Call(Instant at, String method, PoolKey pool, int status) {}
