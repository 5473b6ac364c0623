package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.retry.InvalidPolicyException;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the fields of retry policies' stanzas. An invalid value becomes a fault and counts as absent. */
public final class StanzaFields {

    private StanzaFields() {}

    /** A duration in the format of GEP-2257, or null if absent. */
    public static @Nullable Duration duration(JsonObject object, String field) {
        return duration(object, field, GepDuration::parse);
    }

    /** A duration in Go's format, or null if absent. */
    static @Nullable Duration goDuration(JsonObject object, String field) {
        return duration(object, field, GoDuration::parse);
    }

    private static @Nullable Duration duration(JsonObject object, String field, Function<String, Duration> parser) {
        String text = object.optionalString(field);
        if (text == null) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            object.fault(field, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** A whole number in the range of {@code int}; the policy checks its own bounds. */
    public static OptionalInt number(JsonObject object, String field) {
        OptionalLong number = object.wholeNumber(field, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }

    /** A set of whole numbers, or null if absent. */
    static @Nullable Collection<Integer> numbers(JsonObject object, String field) {
        JsonNode value = object.node().get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isArray()) {
            object.fault(field, "found " + value + ", must be an array of whole numbers");
            return null;
        }
        TreeSet<Integer> numbers = new TreeSet<>();
        for (int i = 0; i < value.size(); i++) {
            JsonNode element = value.get(i);
            if (!element.canConvertToInt() || !element.isIntegralNumber()) {
                object.fault(field + "[" + i + "]", "found " + element + ", must be a whole number");
            } else if (!numbers.add(element.intValue())) {
                object.fault(field + "[" + i + "]", "found " + element + " twice, must be a set");
            }
        }
        return numbers;
    }

    /** Creates a policy's value; broken rules become faults of the object, and the fallback is used. */
    public static <T> T validated(JsonObject object, T fallback, Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidPolicyException e) {
            e.faults().forEach(fault -> object.fault(fault.field(), fault.problem()));
            return fallback;
        }
    }
}
