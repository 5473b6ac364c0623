package dev.poolkeeper.lab.replay;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/** The virtual time of a replay: instants as milliseconds since its start. */
public final class VirtualTime {

    /** The start of every replay. */
    public static final Instant START = Instant.EPOCH;

    private VirtualTime() {}

    public static long millis(Instant instant) {
        return Duration.between(START, instant).toMillis();
    }

    /** The first whole millisecond at or after an instant; zero for one before the start. */
    static long millisNotBefore(Instant instant) {
        return instant.isBefore(START) ? 0 : millis(instant.plusNanos(999_999));
    }

    public static Instant instant(long millis) {
        return START.plusMillis(millis);
    }

    /** {@code +22.5 s}: seconds since the start, with as many decimals as needed. */
    public static String text(Instant instant) {
        BigDecimal seconds = BigDecimal.valueOf(millis(instant), 3).stripTrailingZeros();
        return "+" + seconds.toPlainString() + " s";
    }
}
