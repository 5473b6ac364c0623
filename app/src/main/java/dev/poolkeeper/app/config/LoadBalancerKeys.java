package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.azure.LoadBalancerSelection;
import dev.poolkeeper.input.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys that say which load balancers are this cluster's. Names stand above a tag. */
final class LoadBalancerKeys {

    /** What Azure refuses in a tag's name. */
    private static final String NOT_IN_A_TAG = "<>%&\\?/";

    private static final int LONGEST_TAG_NAME = 512;
    private static final int LONGEST_TAG_VALUE = 256;

    private LoadBalancerKeys() {}

    /** @param isMeant whether the file means to speak to Azure, so that a choice should be made */
    static LoadBalancerSelection read(JsonObject keys, EffectiveValues values, boolean isMeant, List<String> notes) {
        List<String> names = names(keys);
        values.add(
                Keys.LOAD_BALANCERS,
                names.isEmpty() ? null : String.join(", ", names),
                values.origin(Keys.LOAD_BALANCERS));
        @Nullable LoadBalancerSelection tag = tag(values.within(Keys.LOAD_BALANCER_TAG));
        if (!names.isEmpty()) {
            if (tag != null) {
                notes.add(Keys.LOAD_BALANCER_TAG + ": not used, " + Keys.LOAD_BALANCERS + " stands above it");
            }
            return LoadBalancerSelection.named(names);
        }
        if (tag != null) {
            return tag;
        }
        if (isMeant) {
            notes.add("neither " + Keys.LOAD_BALANCERS + " nor " + Keys.LOAD_BALANCER_TAG
                    + " is set: every load balancer of the resource group counts as this cluster's");
        }
        return LoadBalancerSelection.all();
    }

    private static List<String> names(JsonObject keys) {
        List<String> names = new ArrayList<>();
        List<JsonObject> entries = keys.objects(Keys.LOAD_BALANCERS);
        for (JsonObject entry : entries) {
            String field = entry.node().properties().stream()
                    .map(Map.Entry::getKey)
                    .filter("name"::equalsIgnoreCase)
                    .findFirst()
                    .orElse("name");
            JsonNode name = entry.node().get(field);
            String text = entry.requiredString(field);
            if (!text.isEmpty() && !text.chars().allMatch(EffectiveValues::isOfName)) {
                entry.fault(field, "found " + JsonObject.shown(name) + ", must be a name without slashes and blanks");
            } else if (names.stream().anyMatch(text::equalsIgnoreCase)) {
                entry.fault(field, "found " + JsonObject.shown(name) + ", must not be named twice");
            } else if (!text.isEmpty()) {
                names.add(text);
            }
        }
        return names;
    }

    private static @Nullable LoadBalancerSelection tag(EffectiveValues values) {
        String name = values.text("name");
        String value = values.text("value");
        if (name == null || value == null) {
            if (values.isAbsent("name") != values.isAbsent("value")) {
                String missing = values.isAbsent("name") ? "name" : "value";
                values.fault(missing, "is missing, name and value must be set together");
            }
            return null;
        }
        if (name.length() > LONGEST_TAG_NAME || name.chars().anyMatch(c -> NOT_IN_A_TAG.indexOf(c) >= 0)) {
            values.fault(
                    "name",
                    "must be a tag's name of at most %d characters without %s"
                            .formatted(LONGEST_TAG_NAME, String.join(" ", NOT_IN_A_TAG.split(""))));
        }
        if (value.length() > LONGEST_TAG_VALUE) {
            values.fault("value", "must be a tag's value of at most " + LONGEST_TAG_VALUE + " characters");
        }
        return LoadBalancerSelection.tagged(name, value);
    }
}
