package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.HoldCause;
import java.time.Instant;
import java.util.Optional;

/**
 * The time of a decision.
 *
 * @param now the time
 * @param rest until when a pool rests after an attempt that failed; empty if the next tick tries what waits
 */
record Moment(Instant now, Optional<Instant> rest) {

    /**
     * Until when an update that is held waits at the latest: until the guard lets it go, which each tick asks again,
     * since an attempt would acquire the resource lock only to find the pool still held. The retry budget is asked
     * again after a rest. Empty if the next tick tries it.
     */
    Optional<Instant> holdUntil(HoldCause because) {
        return because.by() == HoldCause.By.RETRY_BUDGET
                ? rest
                : Optional.of(because.until().filter(now::isBefore).orElse(Instant.MAX));
    }
}
