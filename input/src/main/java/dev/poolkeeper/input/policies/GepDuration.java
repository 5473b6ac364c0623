package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.PolicyFault;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Durations in the Gateway API's format (<a href="https://gateway-api.sigs.k8s.io/geps/gep-2257/">GEP-2257</a>):
 * {@code 1h30m}, {@code 800ms}. Up to four parts of up to five digits in any order; units may repeat, and the parts add
 * up. Go's format allows more.
 */
public final class GepDuration {

    /** The allowed format, for messages. */
    public static final String RULE = "must be a duration such as 1h30m, 10s or 800ms: one to four parts, each one to"
            + " five digits and one of h, m, s, ms";

    private static final Pattern WHOLE = Pattern.compile("([0-9]{1,5}(h|m|s|ms)){1,4}");
    private static final long MOST_OF_A_UNIT = 99_999;

    private GepDuration() {}

    /** @throws IllegalArgumentException if the text is not such a duration; the message quotes it */
    public static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("found \"" + text + "\", " + RULE);
        }
        return GoDuration.parse(text);
    }

    /**
     * The canonical text: largest units first, each at most once, zero parts omitted; {@code 0s} for zero. More than
     * five digits of hours cannot be represented.
     *
     * @throws IllegalArgumentException if the duration is negative, finer than a millisecond, or too long
     */
    public static String format(Duration duration) {
        if (duration.isNegative()
                || !duration.truncatedTo(ChronoUnit.MILLIS).equals(duration)
                || duration.toHours() > MOST_OF_A_UNIT) {
            throw new IllegalArgumentException(
                    "a duration must be 0 to 99999 hours in whole milliseconds, got " + duration);
        }
        return PolicyFault.text(duration);
    }
}
