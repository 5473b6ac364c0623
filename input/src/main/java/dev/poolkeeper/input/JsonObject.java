package dev.poolkeeper.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object with checked access: an invalid value becomes a fault with its location, and reading continues with a
 * harmless value. A {@code null} field counts as absent, as in Kubernetes and ARM.
 */
public final class JsonObject {

    private final ObjectNode node;
    private final Supplier<String> place;
    private final FaultCollector faults;

    JsonObject(ObjectNode node, Supplier<String> place, FaultCollector faults) {
        this.node = node;
        this.place = place;
        this.faults = faults;
    }

    /** The object as a separate document; the locations of its fields start with {@code place}. */
    public static JsonObject of(ObjectNode document, String place, FaultCollector faults) {
        return new JsonObject(document, () -> place, faults);
    }

    /** The object itself, for fields that are not checked. */
    public ObjectNode node() {
        return node;
    }

    public boolean has(String field) {
        return node.hasNonNull(field);
    }

    /** Adds a fault about one of this object's fields. */
    public void fault(String field, String problem) {
        faults.add(placeOf(field), problem);
    }

    /** The value of a field; null if it is absent, or, after reporting a fault, if it is not allowed. */
    private @Nullable JsonNode checked(String field, Predicate<JsonNode> isAllowed, String allowed) {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!isAllowed.test(value)) {
            fault(field, "found " + shown(value) + ", must be " + allowed);
            return null;
        }
        return value;
    }

    /** A field's text, or null if it is absent. */
    public @Nullable String optionalString(String field) {
        JsonNode value = checked(field, JsonNode::isTextual, "a string");
        return value == null ? null : value.textValue();
    }

    /** A field's text, which must be present and not blank. */
    public String requiredString(String field) {
        String value = optionalString(field);
        if (value != null && !value.isBlank()) {
            return value;
        }
        if (value != null || !has(field)) {
            fault(field, value == null ? "is missing, must be a string" : "is blank, must not be blank");
        }
        return "";
    }

    /** A whole number within two inclusive bounds; empty if absent or invalid. */
    public OptionalLong wholeNumber(String field, long least, long most) {
        JsonNode value = checked(
                field,
                found -> found.isIntegralNumber()
                        && found.canConvertToLong()
                        && found.longValue() >= least
                        && found.longValue() <= most,
                "a whole number " + range(least, most));
        return value == null ? OptionalLong.empty() : OptionalLong.of(value.longValue());
    }

    /** A required whole number within two inclusive bounds; empty if absent or invalid. */
    public OptionalLong requiredWholeNumber(String field, long least, long most) {
        if (!has(field)) {
            fault(field, "is missing, must be a whole number " + range(least, most));
        }
        return wholeNumber(field, least, most);
    }

    /** A number; empty if absent or invalid. */
    public OptionalDouble number(String field) {
        JsonNode value = checked(field, JsonNode::isNumber, "a number");
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
    }

    /** A boolean; false if absent or invalid. */
    public boolean truth(String field) {
        JsonNode value = checked(field, JsonNode::isBoolean, "true or false");
        return value != null && value.booleanValue();
    }

    private static String range(long least, long most) {
        return most == Long.MAX_VALUE
                ? least == Long.MIN_VALUE ? "of 64 bits" : "of " + least + " or more"
                : "from " + least + " to " + most;
    }

    /** The object in a field; an empty one if absent. */
    public JsonObject object(String field) {
        JsonNode value = checked(field, JsonNode::isObject, "an object");
        ObjectNode object = value == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) value;
        return new JsonObject(object, () -> placeOf(field), faults);
    }

    /** The objects of the array in a field; none if absent. */
    public List<JsonObject> objects(String field) {
        List<JsonObject> objects = new ArrayList<>();
        JsonNode array = array(field);
        for (int i = 0; i < array.size(); i++) {
            String element = field + "[" + i + "]";
            if (array.get(i) instanceof ObjectNode object) {
                objects.add(new JsonObject(object, () -> placeOf(element), faults));
            } else {
                fault(element, "found " + shown(array.get(i)) + ", must be an object");
            }
        }
        return objects;
    }

    /** The texts of the array in a field; none if absent. */
    public List<String> strings(String field) {
        List<String> strings = new ArrayList<>();
        JsonNode array = array(field);
        for (int i = 0; i < array.size(); i++) {
            if (array.get(i).isTextual()) {
                strings.add(array.get(i).textValue());
            } else {
                fault(field + "[" + i + "]", "found " + shown(array.get(i)) + ", must be a string");
            }
        }
        return strings;
    }

    private JsonNode array(String field) {
        JsonNode value = checked(field, JsonNode::isArray, "an array");
        return value == null ? JsonNodeFactory.instance.arrayNode() : value;
    }

    /** Adds a fault for every field other than the given ones. */
    public void allowOnly(Collection<String> known) {
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                fault(field, "unknown key, must be one of " + String.join(", ", known));
            }
        });
    }

    private String placeOf(String field) {
        String own = place.get();
        return own.isEmpty() ? field : own.endsWith(":") ? own + " " + field : own + "." + field;
    }

    /** A value as shown in a message, truncated if long. */
    public static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
