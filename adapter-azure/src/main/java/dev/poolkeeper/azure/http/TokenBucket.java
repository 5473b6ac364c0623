package dev.poolkeeper.azure.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The token bucket of a {@link RateLimit}. Starts full. Thread-safe; never blocks. */
final class TokenBucket {

    private static final double LONGEST_MILLIS = 86_400_000.0;
    private static final double NANOS_PER_SECOND = 1e9;

    private final RateLimit limit;
    private double tokens;
    private Instant filledAt;

    TokenBucket(RateLimit limit, Instant now) {
        this.limit = limit;
        this.tokens = limit.bucket();
        this.filledAt = now;
    }

    /** Takes a token, or returns the time of the next one. */
    synchronized Optional<Instant> tryTake(Instant now) {
        Optional<Instant> emptyUntil = emptyUntil(now);
        if (emptyUntil.isEmpty()) {
            tokens -= 1;
        }
        return emptyUntil;
    }

    /** The time of the next token, if there is none now. */
    synchronized Optional<Instant> emptyUntil(Instant now) {
        if (now.isAfter(filledAt)) { // the clock may go back
            double seconds = TimeUnit.NANOSECONDS.convert(Duration.between(filledAt, now)) / NANOS_PER_SECOND;
            tokens = Math.min(limit.bucket(), tokens + seconds * limit.perSecond());
        }
        filledAt = now;
        if (tokens >= 1 - 1e-6) { // rounding errors must not cost a token
            return Optional.empty();
        }
        double wait = Math.ceil((1 - tokens) / limit.perSecond() * 1e3);
        return Optional.of(now.plusMillis((long) Math.min(wait, LONGEST_MILLIS)));
    }
}
