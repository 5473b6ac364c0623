package dev.poolkeeper.azure.http;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shut after a 429 until the instant that ARM named, and while our own {@link RateLimit} is used up. Thread-safe; never
 * blocks. Source: design document, <em>ThrottleError</em>.
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
     * Notes a 429.
     *
     * @return when to come back: what the header says; now where there is none; the timer as it was, null before the
     *     first 429, where the header cannot be read
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

    /** Until when the gate is shut, if it is. Takes nothing. */
    Optional<Instant> shutUntil() {
        Instant now = clock.instant();
        return timerAfter(now).or(() -> bucket == null ? Optional.empty() : bucket.emptyUntil(now));
    }

    /**
     * Lets one request pass, or says until when the gate is shut.
     *
     * @param waitedUntil what the request has waited for already; a clock that stands still does not make it wait again
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
