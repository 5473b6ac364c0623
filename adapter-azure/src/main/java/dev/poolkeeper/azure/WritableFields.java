package dev.poolkeeper.azure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writable part of a backend address pool in the API version that the SDK speaks. Taken out of the body that ARM
 * sent and out of the SDK's model of it, the two must be equal: then a write loses nothing.
 */
final class WritableFields {

    private sealed interface Shape {}

    private record Text() implements Shape {}

    private record Whole() implements Shape {}

    private record ListOf(Shape element) implements Shape {}

    private record ObjectOf(Map<String, Shape> fields) implements Shape {}

    private static final Shape TEXT = new Text();
    private static final Shape REFERENCE = new ObjectOf(Map.of("id", TEXT));

    private static final Shape ADDRESS = new ObjectOf(Map.of(
            "name",
            TEXT,
            "properties",
            new ObjectOf(Map.of(
                    "ipAddress", TEXT,
                    "virtualNetwork", REFERENCE,
                    "subnet", REFERENCE,
                    "loadBalancerFrontendIPConfiguration", REFERENCE,
                    "adminState", TEXT))));

    private static final Shape TUNNEL =
            new ObjectOf(Map.of("port", new Whole(), "identifier", new Whole(), "protocol", TEXT, "type", TEXT));

    private static final Shape POOL = new ObjectOf(Map.of(
            "id",
            TEXT,
            "name",
            TEXT,
            "properties",
            new ObjectOf(Map.of(
                    "location",
                    TEXT,
                    "tunnelInterfaces",
                    new ListOf(TUNNEL),
                    "loadBalancerBackendAddresses",
                    new ListOf(ADDRESS),
                    "drainPeriodInSeconds",
                    new Whole(),
                    "virtualNetwork",
                    REFERENCE,
                    "syncMode",
                    TEXT))));

    private WritableFields() {}

    /**
     * What of a pool is writable.
     *
     * @throws UnfitAnswerException if a field is not of its type
     */
    static Map<?, ?> of(Map<?, ?> pool) throws UnfitAnswerException {
        return (Map<?, ?>) project(POOL, pool, "");
    }

    private static Object project(Shape shape, @Nullable Object value, String path) throws UnfitAnswerException {
        switch (shape) {
            case Text text
            when value instanceof String -> {
                return value;
            }
            case Whole whole
            when value instanceof Integer || value instanceof Long -> {
                return ((Number) value).longValue();
            }
            case ListOf(Shape element)
            when value instanceof List<?> list -> {
                List<Object> projected = new ArrayList<>(list.size());
                for (int i = 0; i < list.size(); i++) {
                    projected.add(project(element, list.get(i), path + "[" + i + "]"));
                }
                return projected;
            }
            case ObjectOf(Map<String, Shape> fields)
            when value instanceof Map<?, ?> map -> {
                Map<String, Object> projected = new LinkedHashMap<>();
                for (Map.Entry<String, Shape> field : fields.entrySet()) {
                    Object part = map.get(field.getKey());
                    String partPath = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                    if (part != null || map.containsKey(field.getKey()) && field.getValue() instanceof ListOf) {
                        projected.put(field.getKey(), project(field.getValue(), part, partPath));
                    }
                }
                return projected;
            }
            default ->
                throw new UnfitAnswerException("%s is %s, must be %s".formatted(path, kind(value), wanted(shape)));
        }
    }

    private static String wanted(Shape shape) {
        return switch (shape) {
            case Text text -> "a text";
            case Whole whole -> "a whole number";
            case ListOf list -> "an array";
            case ObjectOf object -> "an object";
        };
    }

    private static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> "a text";
            case Number number -> "the number " + number;
            case Boolean bool -> "the value " + bool;
            case List<?> list -> "an array";
            default -> "an object";
        };
    }
}
