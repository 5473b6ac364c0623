package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.input.BadInputException;
import dev.poolkeeper.fake.input.FaultCollector;
import dev.poolkeeper.fake.input.JsonFile;
import dev.poolkeeper.fake.input.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A faults file: what the cloud answers instead of doing calls, and when somebody else holds the resource lock.
 *
 * @param rules asked in order for each call
 * @param lease when somebody else holds the lock
 */
public record Faults(List<FaultRule> rules, List<LeaseWindow> lease) {

    /** None at all. */
    public static final Faults NONE = new Faults(List.of(), List.of());

    private static final List<String> KEYS = List.of("rules", "lease");
    private static final List<String> LEASE_KEYS = List.of("fromMillis", "untilMillis");
    private static final List<String> METHODS = List.of("PUT", "GET", "*");
    private static final List<String> RULE_KEYS = List.of(
            "method",
            "loadBalancer",
            "pool",
            "fromMillis",
            "untilMillis",
            "skip",
            "times",
            "status",
            "retryAfterSeconds",
            "code");

    /**
     * A time for which somebody else holds the lock, since the start.
     *
     * @param from its first moment
     * @param until the first moment after it
     */
    public record LeaseWindow(Duration from, Duration until) {}

    public Faults {
        rules = List.copyOf(rules);
        lease = List.copyOf(lease);
    }

    /** @throws BadInputException with every fault of the file */
    public static Faults read(Path file) throws BadInputException {
        FaultCollector faults = new FaultCollector(file.toString());
        return read(JsonFile.read(file, faults), faults);
    }

    /** @throws BadInputException with every fault of the text */
    public static Faults read(InputStream in, String source) throws BadInputException, IOException {
        FaultCollector faults = new FaultCollector(source);
        return read(JsonFile.read(in, faults), faults);
    }

    private static Faults read(JsonObject file, FaultCollector faults) throws BadInputException {
        file.allowOnly(KEYS);
        List<FaultRule> rules = file.objects("rules").stream().map(Faults::rule).toList();
        List<LeaseWindow> lease =
                file.objects("lease").stream().map(Faults::window).toList();
        faults.throwIfAny();
        return new Faults(rules, lease);
    }

    private static FaultRule rule(JsonObject json) {
        json.allowOnly(RULE_KEYS);
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
                (int) json.requiredWholeNumber("status", 400, 599).orElse(400),
                retryAfter(json),
                json.optionalString("code"));
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

    private static LeaseWindow window(JsonObject json) {
        json.allowOnly(LEASE_KEYS);
        return new LeaseWindow(
                Duration.ofMillis(json.requiredWholeNumber("fromMillis", 0, Long.MAX_VALUE)
                        .orElse(0)),
                Duration.ofMillis(json.requiredWholeNumber("untilMillis", 0, Long.MAX_VALUE)
                        .orElse(0)));
    }

    /** The lock that these faults make, on a clock that showed {@code start} when they began. */
    public FakeResourceLock resourceLock(InstantSource clock, Instant start) {
        return new FakeResourceLock(
                clock,
                lease.stream()
                        .map(window ->
                                new FakeResourceLock.Window(start.plus(window.from()), start.plus(window.until())))
                        .toList());
    }
}
