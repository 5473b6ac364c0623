package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonObject;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Values that still have to be replaced, in full or in part: {@code <tenant-id>} as in the cloud provider's example,
 * <code>${TENANT_ID}</code>, {@code $(TENANT_ID)} and {@code {{tenantId}}} as in templates; and a key's own name in
 * capitals as in our manifest. They would otherwise pass as names.
 */
final class Placeholders {

    private static final Pattern OPEN = Pattern.compile(
            "^<[^<>]+>$|^\\$\\([A-Za-z_][\\w.-]*\\)$|^\\{\\{[^{}]+}}$|\\$\\{[A-Za-z_][A-Za-z0-9_.:-]*}");
    /** In a secret these may be mere characters. */
    private static final Pattern OPEN_PART =
            Pattern.compile("<\\p{L}[\\p{L}\\p{N}_. -]*>|\\$\\([A-Za-z_][\\w.-]*\\)|\\{\\{[^{}]+}}");

    private static final Pattern SECRET = Pattern.compile("(?i).*(secret|password).*");
    private static final Pattern CAPITALS = Pattern.compile("[A-Z][A-Z0-9_-]*");

    private Placeholders() {}

    /** @param place the key, whose value is searched for fewer forms if it may be a secret */
    static boolean isOpen(String place, JsonNode value) {
        String text = value.isTextual() ? value.textValue() : "";
        return OPEN.matcher(text).find()
                || (!isSecret(place) && OPEN_PART.matcher(text).find());
    }

    private static boolean isSecret(String place) {
        return SECRET.matcher(place).matches();
    }

    /** Whether a value is its key's name in capitals, with or without the provider's prefix, such as CLIENT-ID. */
    static boolean isCapitals(Key<?> key, String value) {
        String word = value.replaceAll("[-_]", "");
        String name = key.name().toUpperCase(Locale.ROOT);
        return CAPITALS.matcher(value).matches()
                && (word.equals(name) || word.equals("YOUR" + name) || ("AAD" + word).equals(name));
    }

    /** Adds a fault for each placeholder in a document, also in keys that have no effect here. */
    static void refuse(JsonNode document, String place, FaultCollector faults) {
        if (isOpen(place, document)) {
            faults.add(place, problem(place, document));
        }
        document.properties()
                .forEach(field -> refuse(
                        field.getValue(), place.isEmpty() ? field.getKey() : place + "." + field.getKey(), faults));
        for (int i = 0; document.isArray() && i < document.size(); i++) {
            refuse(document.get(i), place + "[" + i + "]", faults);
        }
    }

    /** @param place the key, whose value is not shown if it may be a secret */
    static String problem(String place, JsonNode value) {
        return "found " + (isSecret(place) ? TextTypes.Secret.MASK : JsonObject.shown(value))
                + ", which is a placeholder; must be replaced by your value";
    }
}
