package dev.poolkeeper.app.status;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Formats instants: the instant itself and its distance from now.
 *
 * @param now the moment of the status
 */
record Times(Instant now) {

    /** {@code 2026-01-01T12:00:00Z, 5 s ago}, or {@code …, in 5 s}; the other text if there is no instant. */
    String of(Optional<Instant> instant, String otherwise) {
        return instant.map(this::of).orElse(otherwise);
    }

    /** The same; empty if there is no instant. */
    Optional<String> of(Optional<Instant> instant) {
        return instant.map(this::of);
    }

    String of(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS) + ", " + distance(instant);
    }

    private String distance(Instant instant) {
        Duration distance = Duration.between(now, instant);
        return distance.isNegative() ? length(distance.negated()) + " ago" : "in " + length(distance);
    }

    private static String length(Duration duration) {
        if (duration.toMinutes() < 2) {
            return duration.toSeconds() + " s";
        }
        return duration.toHours() < 2 ? duration.toMinutes() + " min" : duration.toHours() + " h";
    }
}
