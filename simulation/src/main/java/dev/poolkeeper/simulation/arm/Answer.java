package dev.poolkeeper.simulation.arm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer of ARM, or none.
 *
 * @param status the HTTP status, 0 where there is no answer
 * @param code ARM's error code
 * @param retryAfter the header
 * @param pool the pool, where one was asked for or written
 * @param operation a long-running operation to be asked about
 * @param listing every pool, where these were asked for
 */
public record Answer(
        int status,
        @Nullable String code,
        @Nullable String retryAfter,
        @Nullable PoolImage pool,
        @Nullable ArmOperation operation,
        @Nullable List<PoolImage> listing) {

    static final Answer NONE = new Answer(0, null, null, null, null, null);

    static Answer error(int status, String code) {
        return new Answer(status, code, null, null, null, null);
    }

    static Answer ok(PoolImage pool) {
        return new Answer(200, null, null, pool, null, null);
    }
}
