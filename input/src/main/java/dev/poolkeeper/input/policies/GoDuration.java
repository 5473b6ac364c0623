package dev.poolkeeper.input.policies;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations in the format of Go's <a href="https://pkg.go.dev/time#ParseDuration">{@code time.ParseDuration}</a>, which
 * Linkerd's manifests use: {@code 1.5s}, {@code 1h30m}, {@code 0}. Signs are not accepted, because no field here may be
 * negative.
 */
final class GoDuration {

    static final String RULE = "must be a duration such as 1h30m, 1.5s or 25ms: parts of a number, with or without a"
            + " fraction, and one of h, m, s, ms, us, ns";

    private static final String NUMBER = "([0-9]{1,18}(?:\\.[0-9]{0,18})?|\\.[0-9]{1,18})";
    private static final Pattern PART = Pattern.compile(NUMBER + "(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + NUMBER + "(?:ns|us|µs|μs|ms|s|m|h)){1,16}");
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private GoDuration() {}

    /** @throws IllegalArgumentException if the text is not such a duration; the message quotes it */
    static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanosOf(part.group(2)))));
        }
        if (!WHOLE.matcher(text).matches() || nanos.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("found \"" + text + "\", " + RULE);
        }
        return Duration.ofNanos(nanos.longValue());
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "h" -> Duration.ofHours(1).toNanos();
            case "m" -> Duration.ofMinutes(1).toNanos();
            case "s" -> Duration.ofSeconds(1).toNanos();
            case "ms" -> Duration.ofMillis(1).toNanos();
            case "ns" -> 1;
            default -> 1_000;
        };
    }
}
