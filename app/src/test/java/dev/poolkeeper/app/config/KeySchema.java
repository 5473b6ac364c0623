package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.config.Key.Trait;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.List;

/** Keys as JSON Schema. Every type of key must have its form here for this to compile. */
public final class KeySchema {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String RESOURCE_NAME =
            TextTypes.Name.OF_RESOURCE.pattern().pattern();

    private KeySchema() {}

    /**
     * The schema of the chart's {@code config}: the keys that make sense in a ConfigMap, and those of the cloud
     * provider that are ignored. The probes need the admin address and a known port.
     */
    public static ObjectNode ofTheChartsConfig() {
        List<Key<?>> all = Keys.all();
        List<String> left = all.stream()
                .filter(key -> key.is(Trait.NOT_IN_CHART))
                .map(Key::name)
                .toList();
        ObjectNode schema = JSON.objectNode();
        schema.put(
                "description",
                "The keys of docs/configuration.md, in its spelling. Without those that have no place in a"
                        + " ConfigMap or a pod: " + String.join(", ", left)
                        + ". For secrets use clientSecret, volumes or workloadIdentity.");
        schema.setAll(of(all.stream().filter(key -> !left.contains(key.name())).toList()));
        ObjectNode properties = (ObjectNode) schema.path("properties");
        PassedOverKeys.ALL.forEach(properties::putObject);
        ObjectNode admin = (ObjectNode) properties.path("admin");
        admin.putArray("required").add("address").add("port");
        ((ObjectNode) admin.at("/properties/port")).put("minimum", 1);
        schema.putArray("required").add("admin");
        return schema;
    }

    /** An object with these keys and no others. */
    static ObjectNode of(List<Key<?>> keys) {
        ObjectNode schema = objectSchema();
        for (Key<?> key : keys) {
            ObjectNode holder = schema;
            String[] names = key.name().split("\\.");
            for (int i = 0; i < names.length - 1; i++) {
                ObjectNode properties = (ObjectNode) holder.path("properties");
                if (!properties.has(names[i])) {
                    properties.set(names[i], objectSchema());
                }
                holder = (ObjectNode) properties.path(names[i]);
            }
            ((ObjectNode) holder.path("properties"))
                    .set(names[names.length - 1], of(key.type()).put("description", key.meaning()));
        }
        return schema;
    }

    /** A file, as JSON, in which only this key has a value, which is allowed and not the default. */
    public static String someValueOf(Key<?> key) {
        String value = switch (key.type()) {
            case NumberTypes.Whole whole -> String.valueOf(whole.most() - 1);
            case NumberTypes.Seconds seconds -> String.valueOf(seconds.most() - 1);
            case NumberTypes.Decimal decimal -> "0.5";
            case NumberTypes.Statuses statuses -> "[504]";
            case TextTypes.Truth truth ->
                String.valueOf(!"`true`".equals(key.fallback().words()));
            case TextTypes.Choice<?> choice ->
                choice.words().keySet().stream()
                        .filter(word -> !key.fallback().words().contains(word))
                        .map(word -> "\"" + word + "\"")
                        .findFirst()
                        .orElseThrow();
            case TextTypes.Span span -> "\"7s\"";
            case TextTypes.Text text -> "\"a\"";
            case TextTypes.Secret secret -> "\"a\"";
            case TextTypes.Name name -> name.matches("a") ? "\"a\"" : "\"2021-01-01\"";
            case Loggers loggers -> "{\"a\": \"debug\"}";
            case TextTypes.Names names -> "[\"a\"]";
            case TextTypes.OneOrMore texts -> "[\"a\"]";
            case PlaceTypes.IpLiteral address -> "\"127.0.0.2\"";
            case PlaceTypes.HttpsAddress address -> "\"https://a\"";
            case PlaceTypes.ExistingFile file -> "\"a\"";
            case PlaceTypes.FileNames files -> "[\"a\"]";
            case PlaceTypes.NamedObjects objects -> "[{\"name\": \"a\"}]";
        };
        String[] names = key.name().split("\\.");
        for (int i = names.length - 1; i >= 0; i--) {
            value = "{\"" + names[i] + "\": " + value + "}";
        }
        return value;
    }

    private static ObjectNode objectSchema() {
        ObjectNode schema = type("object").put("additionalProperties", false);
        schema.putObject("properties");
        return schema;
    }

    private static ObjectNode of(KeyType<?> type) {
        return switch (type) {
            case NumberTypes.Whole whole -> numbers("integer", whole.least(), whole.most());
            case NumberTypes.Seconds seconds -> numbers("integer", seconds.least(), seconds.most());
            case NumberTypes.Decimal decimal -> numbers("number", decimal.least(), decimal.most());
            case NumberTypes.Statuses statuses -> statuses();
            case TextTypes.Truth truth -> type("boolean");
            case TextTypes.Text text -> type("string");
            case TextTypes.Secret secret -> type("string");
            case TextTypes.Name name ->
                type("string")
                        .put("maxLength", name.longest())
                        .put("pattern", whole(name.pattern().pattern()));
            case TextTypes.Names names -> arrayOf(of(names.name())).put("uniqueItems", true);
            case TextTypes.OneOrMore texts -> oneOrMore();
            case TextTypes.Choice<?> choice -> choice(choice);
            case TextTypes.Span span -> type("string").put("pattern", whole("([0-9]{1,5}(h|m|s|ms)){1,4}"));
            case Loggers loggers -> type("object").set("additionalProperties", choice(Loggers.LEVELS));
            case PlaceTypes.IpLiteral address -> type("string");
            case PlaceTypes.HttpsAddress address -> type("string");
            case PlaceTypes.ExistingFile file -> type("string");
            case PlaceTypes.FileNames files -> arrayOf(type("string"));
            case PlaceTypes.NamedObjects objects -> namedObjects();
        };
    }

    private static ObjectNode oneOrMore() {
        ObjectNode schema = arrayOf(type("string")).put("uniqueItems", true);
        schema.putArray("type").add("string").add("array");
        return schema;
    }

    private static ObjectNode choice(TextTypes.Choice<?> choice) {
        ObjectNode schema = JSON.objectNode();
        ArrayNode words = schema.putArray("enum");
        choice.words().keySet().forEach(words::add);
        return schema;
    }

    private static ObjectNode statuses() {
        ObjectNode status = numbers("integer", NumberTypes.Statuses.LEAST, NumberTypes.Statuses.MOST);
        ArrayNode others = status.putObject("not").putArray("enum");
        RetryPolicy.ELSEWHERE.stream().sorted().forEach(others::add);
        return arrayOf(status).put("uniqueItems", true);
    }

    private static ObjectNode namedObjects() {
        ObjectNode named = type("object");
        named.putArray("required").add("name");
        named.putObject("properties").set("name", type("string").put("pattern", whole(RESOURCE_NAME)));
        return arrayOf(named);
    }

    private static ObjectNode numbers(String type, int least, int most) {
        return type(type).put("minimum", least).put("maximum", most);
    }

    private static ObjectNode arrayOf(ObjectNode items) {
        return type("array").set("items", items);
    }

    private static ObjectNode type(String type) {
        return JSON.objectNode().put("type", type);
    }

    private static String whole(String pattern) {
        return "^(" + pattern + ")$";
    }
}
