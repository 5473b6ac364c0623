package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads one rule of a faults file. */
final class FaultRuleReader {

    private static final List<String> METHODS = List.of("PUT", "GET", "*");
    private static final List<String> KEYS = List.of(
            "method",
            "loadBalancer",
            "pool",
            "fromMillis",
            "untilMillis",
            "skip",
            "times",
            "status",
            "retryAfterSeconds",
            "code",
            "share",
            "seed",
            "target",
            "delayMillis",
            "drop",
            "body",
            "retryAfterDate",
            "operation");

    private FaultRuleReader() {}

    static FaultRule read(JsonObject json) {
        json.allowOnly(KEYS);
        requireOrder(json);
        OptionalLong times = json.wholeNumber("times", 1, Long.MAX_VALUE);
        return new FaultRule(
                method(json),
                glob(json, "loadBalancer"),
                glob(json, "pool"),
                Duration.ofMillis(
                        json.wholeNumber("fromMillis", 0, Long.MAX_VALUE).orElse(0)),
                millis(json, "untilMillis"),
                json.wholeNumber("skip", 0, Long.MAX_VALUE).orElse(0),
                times.isPresent() ? times.getAsLong() : null,
                status(json),
                retryAfter(json),
                json.optionalString("code"),
                HttpsFaultReader.share(json),
                HttpsFaultReader.read(json));
    }

    /** Adds a fault if the end is not after the start. */
    static void requireOrder(JsonObject json) {
        long from = json.node().path("fromMillis").asLong(0);
        JsonNode until = json.node().path("untilMillis");
        if (until.isIntegralNumber() && until.asLong() >= 0 && from >= 0 && until.asLong() <= from) {
            json.fault(
                    "untilMillis", "found " + until.asLong() + ", must be greater than fromMillis, which is " + from);
        }
    }

    private static @Nullable Integer status(JsonObject json) {
        if (!json.has("status") && HttpsFaultReader.needsNoStatus(json)) {
            return null;
        }
        return (int) json.requiredWholeNumber("status", 400, 599).orElse(400);
    }

    private static String method(JsonObject json) {
        String method = json.optionalString("method");
        if (method != null && !METHODS.contains(method)) {
            json.fault("method", "found \"" + method + "\", must be one of " + String.join(", ", METHODS));
        }
        return method == null ? "*" : method;
    }

    private static Glob glob(JsonObject json, String field) {
        String pattern = json.optionalString(field);
        return pattern == null ? Glob.ANY : new Glob(pattern);
    }

    private static @Nullable Duration millis(JsonObject json, String field) {
        OptionalLong millis = json.wholeNumber(field, 0, Long.MAX_VALUE);
        return millis.isPresent() ? Duration.ofMillis(millis.getAsLong()) : null;
    }

    private static @Nullable Duration retryAfter(JsonObject json) {
        OptionalLong seconds = json.wholeNumber("retryAfterSeconds", 0, Long.MAX_VALUE);
        return seconds.isPresent() ? Duration.ofSeconds(seconds.getAsLong()) : null;
    }
}
