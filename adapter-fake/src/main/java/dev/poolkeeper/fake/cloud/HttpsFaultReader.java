package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.input.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the keys of a rule that apply only over HTTPS. */
final class HttpsFaultReader {

    /** Keys that have an effect without a status. */
    private static final List<String> EFFECTS = List.of("delayMillis", "drop", "body", "operation");

    private static final long LONGEST_DELAY_MILLIS = 600_000;

    private HttpsFaultReader() {}

    static boolean needsNoStatus(JsonObject json) {
        return EFFECTS.stream().anyMatch(json::has);
    }

    static HttpsFault read(JsonObject json) {
        HttpsFault.Target target = oneOf(json, "target", HttpsFault.Target.values(), HttpsFaultReader::lowerCase);
        HttpsFault fault = new HttpsFault(
                target == null ? HttpsFault.Target.RESOURCE : target,
                Duration.ofMillis(
                        json.wholeNumber("delayMillis", 0, LONGEST_DELAY_MILLIS).orElse(0)),
                oneOf(json, "drop", HttpsFault.Drop.values(), HttpsFaultReader::lowerCase),
                oneOf(json, "body", HttpsFault.Body.values(), HttpsFaultReader::lowerCase),
                json.truth("retryAfterDate"),
                oneOf(json, "operation", HttpsFault.Ending.values(), HttpsFaultReader::capitalized));
        checkTogether(json, fault);
        return fault;
    }

    private static void checkTogether(JsonObject json, HttpsFault fault) {
        if (fault.retryAfterDate() && !json.has("retryAfterSeconds")) {
            json.fault("retryAfterDate", "found true, needs retryAfterSeconds next to it");
        }
        if (fault.drop() != null && (json.has("body") || json.has("status"))) {
            json.fault("drop", "a dropped connection has no status and no body, remove one of them");
        }
        if (fault.operation() != null && json.has("status")) {
            json.fault("operation", "a call that is answered with a status has no operation, remove one of them");
        }
        if (fault.operation() != null && fault.target() != HttpsFault.Target.RESOURCE) {
            json.fault("operation", "is for writes, not for target \"" + lowerCase(fault.target()) + "\"");
        }
    }

    static Share share(JsonObject json) {
        long seed = json.wholeNumber("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(0);
        if (!json.has("share")) {
            if (json.has("seed")) {
                json.fault("seed", "applies only together with share");
            }
            return Share.ALL;
        }
        double share = json.number("share").orElse(1);
        if (!(share > 0 && share <= 1)) {
            json.fault("share", "found " + share + ", must be greater than 0 and at most 1");
            return Share.ALL;
        }
        return new Share(share, seed);
    }

    private static <E extends Enum<E>> @Nullable E oneOf(
            JsonObject json, String field, E[] values, Function<E, String> spelling) {
        String found = json.optionalString(field);
        if (found == null) {
            return null;
        }
        for (E value : values) {
            if (spelling.apply(value).equals(found)) {
                return value;
            }
        }
        json.fault(
                field,
                "found \"" + found + "\", must be one of "
                        + Arrays.stream(values).map(spelling).collect(Collectors.joining(", ")));
        return null;
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String capitalized(Enum<?> value) {
        return value.name().charAt(0) + lowerCase(value).substring(1);
    }
}
