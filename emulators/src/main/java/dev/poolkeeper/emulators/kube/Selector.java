package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The selection of objects in a list or watch. */
final class Selector {

    private Selector() {}

    /** Selects by namespace, {@code labelSelector} and {@code fieldSelector}; supports only equality. */
    static Predicate<JsonNode> of(KubePath path, Map<String, String> query) {
        List<Predicate<JsonNode>> all = new ArrayList<>();
        if (!path.namespace().isEmpty()) {
            all.add(object -> KubeJson.namespace(object).equals(path.namespace()));
        }
        if (!path.name().isEmpty()) {
            all.add(object -> KubeJson.name(object).equals(path.name()));
        }
        for (String term : terms(query.get("labelSelector"))) {
            all.add(equality(
                    term,
                    (object, label) -> object.path("metadata").path("labels").path(label)));
        }
        for (String term : terms(query.get("fieldSelector"))) {
            all.add(equality(term, (object, field) -> object.at("/" + field.replace('.', '/'))));
        }
        return object -> all.stream().allMatch(one -> one.test(object));
    }

    private static List<String> terms(@Nullable String selector) {
        return selector == null || selector.isBlank() ? List.of() : List.of(selector.split(","));
    }

    private interface Lookup {
        JsonNode find(JsonNode object, String name);
    }

    private static Predicate<JsonNode> equality(String term, Lookup lookup) {
        int at = term.indexOf('=');
        if (at < 0) {
            return object -> !lookup.find(object, term.strip()).isMissingNode();
        }
        boolean not = at > 0 && term.charAt(at - 1) == '!';
        String name = term.substring(0, not ? at - 1 : at).strip();
        String value = term.substring(term.lastIndexOf('=') + 1).strip();
        return object -> not != lookup.find(object, name).asText("").equals(value);
    }
}
