package dev.poolkeeper.ports.retry;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Retry-After} header: whole seconds or an RFC 1123 date. More than a day counts as one day, a negative number
 * as zero.
 */
public sealed interface RetryAfter {

    /** Retry at this time, which may be in the past. */
    record At(Instant instant) implements RetryAfter {}

    /** There is no such header. */
    record Absent() implements RetryAfter {}

    /** The header is invalid: a fraction, words, or an invalid date. */
    record Unreadable() implements RetryAfter {}

    /** What more counts as. */
    Duration MAX_WAIT = Duration.ofDays(1);

    /** Removes the day of the week, so that a wrong one does not make a date invalid. */
    Pattern WEEKDAY = Pattern.compile("^[A-Za-z]{3},\\s*");

    Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    /** Reads a header; {@code now} is what seconds count from. Never throws for its text. */
    static RetryAfter parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return new Absent();
        }
        String text = header.strip();
        if (WHOLE_NUMBER.matcher(text).matches()) {
            return new At(now.plus(seconds(text)));
        }
        try {
            Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                    WEEKDAY.matcher(text).replaceFirst(""), Instant::from);
            Instant latest = now.plus(MAX_WAIT);
            return new At(date.isAfter(latest) ? latest : date);
        } catch (DateTimeException e) {
            return new Unreadable();
        }
    }

    private static Duration seconds(String text) {
        if (text.startsWith("-")) {
            return Duration.ZERO;
        }
        try {
            Duration duration = Duration.ofSeconds(Long.parseLong(text));
            return duration.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : duration;
        } catch (NumberFormatException e) { // more digits than fit into a long
            return MAX_WAIT;
        }
    }
}
