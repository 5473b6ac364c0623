package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Closed after a 429 until the time that ARM named, and while our own {@link RateLimit} is exhausted. Thread-safe;
 * never blocks. Source: design document, <em>ThrottleError</em>.
 */
final class ThrottlingGate {

    private final InstantSource clock;
    private final @Nullable TokenBucket bucket;
    private @Nullable Instant timer;

    ThrottlingGate(InstantSource clock, @Nullable RateLimit limit) {
        this.clock = clock;
        this.bucket = limit == null ? null : new TokenBucket(limit, clock.instant());
    }

    /**
     * Records a 429.
     *
     * @return the earliest time of the next attempt: the one in the header; now if there is no header; the previous
     *     one, or null before the first 429, if the header is invalid
     */
    synchronized @Nullable Instant shut(RetryAfter retryAfter) {
        Instant until = switch (retryAfter) {
            case RetryAfter.At at -> at.instant();
            case RetryAfter.Absent absent -> clock.instant();
            case RetryAfter.Unreadable unreadable -> timer;
        };
        if (until != null && (timer == null || until.isAfter(timer))) { // a shorter wait never shortens a longer one
            timer = until;
        }
        return until;
    }

    /** Until when the gate is closed, if it is. Takes no token. */
    Optional<Instant> shutUntil() {
        Instant now = clock.instant();
        return timerAfter(now).or(() -> bucket == null ? Optional.empty() : bucket.emptyUntil(now));
    }

    /** Until when ARM has asked to wait, if it has; our own limit plays no part. */
    Optional<Instant> askedToWaitUntil() {
        return timerAfter(clock.instant());
    }

    /**
     * Lets one request pass, or returns the time until which the gate is closed.
     *
     * @param waitedUntil the time until which the request has already waited, so that it does not wait again if the
     *     clock stands still
     */
    Optional<Instant> tryPass(Instant waitedUntil) {
        Instant now = clock.instant();
        Instant reached = waitedUntil.isAfter(now) ? waitedUntil : now;
        return timerAfter(reached).or(() -> bucket == null ? Optional.empty() : bucket.tryTake(reached));
    }

    private synchronized Optional<Instant> timerAfter(Instant now) {
        return Optional.ofNullable(timer).filter(now::isBefore);
    }
}
