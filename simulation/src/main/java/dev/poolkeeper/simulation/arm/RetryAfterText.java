package dev.poolkeeper.simulation.arm;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Reads {@code Retry-After} as the adapter for Azure does: seconds, a date, at most a day, or nothing. */
final class RetryAfterText {

    private static final long DAY = 86_400;

    private RetryAfterText() {}

    static @Nullable Instant parse(@Nullable String header, Instant now) {
        if (header == null) {
            return now;
        }
        try {
            if (header.matches("-?[0-9]+")) {
                return now.plusSeconds(Math.max(0, Math.min(DAY, Long.parseLong(header))));
            }
            Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from);
            return date.isAfter(now.plusSeconds(DAY)) ? now.plusSeconds(DAY) : date;
        } catch (DateTimeException | NumberFormatException e) {
            return null;
        }
    }
}
