package dev.poolkeeper.ports.retry;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A rule that a policy breaks, for the person who wrote the policy.
 *
 * @param field the field, such as {@code retryConstraint.budget.percent}
 * @param value the value found
 * @param rule the allowed values
 */
public record PolicyFault(String field, String value, String rule) {

    /** The value found and the allowed values, without the field. */
    public String problem() {
        return "found " + value + ", " + rule;
    }

    /** One line: {@code field: found value, rule}. */
    @Override
    public String toString() {
        return field + ": " + problem();
    }

    /** In the Gateway API's notation, {@code 1h30m} or {@code 800ms}; as the JDK writes it if that cannot say it. */
    public static String text(Duration value) {
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

    static boolean isInWholeMilliseconds(Duration value) {
        return value.truncatedTo(ChronoUnit.MILLIS).equals(value);
    }
}
