package dev.poolkeeper.ports.retry;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Collects the rules that one value breaks. */
final class Rules {

    static final Duration MILLISECOND = Duration.ofMillis(1);
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    private final List<PolicyFault> faults = new ArrayList<>();

    void require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            faults.add(new PolicyFault(field, value instanceof Duration d ? text(d) : String.valueOf(value), rule));
        }
    }

    /** The Gateway API's durations are whole milliseconds without a sign. */
    boolean isDuration(String field, Duration value) {
        boolean holds = !value.isNegative() && isInWholeMilliseconds(value);
        require(holds, field, value, "must be a duration in whole milliseconds, 0s or more");
        return holds;
    }

    void requireNone() {
        if (!faults.isEmpty()) {
            throw new InvalidPolicyException(faults);
        }
    }

    static boolean isBetween(Duration least, Duration value, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    /** In the Gateway API's notation: 1h30m, 800ms. */
    static String text(Duration value) {
        if (value.isZero() || value.isNegative() || !isInWholeMilliseconds(value)) {
            return value.isZero() ? "0s" : value.toString();
        }
        return part(value.toHours(), "h")
                + part(value.toMinutesPart(), "m")
                + part(value.toSecondsPart(), "s")
                + part(value.toMillisPart(), "ms");
    }

    private static String part(long amount, String unit) {
        return amount == 0 ? "" : amount + unit;
    }

    private static boolean isInWholeMilliseconds(Duration value) {
        return value.truncatedTo(ChronoUnit.MILLIS).equals(value);
    }
}
