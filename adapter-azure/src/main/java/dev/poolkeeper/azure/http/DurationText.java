package dev.poolkeeper.azure.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Formats durations for messages. */
final class DurationText {

    private DurationText() {}

    /** Such as {@code 60 s} or {@code 0.25 s}. */
    static String of(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3)
                        .setScale(duration.toSeconds() < 10 ? 2 : 0, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                + " s";
    }
}
