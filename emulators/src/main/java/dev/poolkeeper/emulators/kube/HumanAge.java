package dev.poolkeeper.emulators.kube;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Formats ages as {@code kubectl} does (apimachinery's {@code HumanDuration}). */
final class HumanAge {

    private static final int HOURS_OF_YEAR = 24 * 365;

    private HumanAge() {}

    /** @param timestamp RFC 3339; anything else is {@code <unknown>} */
    static String since(String timestamp, Instant now) {
        try {
            return of(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    static String of(Duration age) {
        long seconds = age.toSeconds();
        long minutes = age.toMinutes();
        long hours = age.toHours();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (minutes < 2) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (hours < 3) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (hours < 24 * 8) {
            return two(hours / 24, "d", hours % 24, "h");
        }
        if (hours < 2 * HOURS_OF_YEAR) {
            return hours / 24 + "d";
        }
        if (hours < 8 * HOURS_OF_YEAR) {
            return two(hours / HOURS_OF_YEAR, "y", hours / 24 % 365, "d");
        }
        return hours / HOURS_OF_YEAR + "y";
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
