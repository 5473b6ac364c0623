package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Normalizes the keys of a file: upper and lower case do not matter. An unknown key becomes a warning, or a fault
 * inside a strict section; a key that is set twice is a fault.
 *
 * @param sections the known keys
 * @param file named in warnings
 * @param faults receives faults
 * @param warnings receives warnings
 */
record KeySpelling(List<Section> sections, Path file, FaultCollector faults, List<String> warnings) {

    /** The known fields of the whole file. */
    ObjectNode spelt(JsonNode document) {
        return spelt(document, "");
    }

    /** @param place the names of the enclosing objects, each followed by a dot */
    private ObjectNode spelt(JsonNode object, String place) {
        Map<String, String> known = known(place);
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> {
            String typed = field.getKey();
            String name = known.get(typed.toLowerCase(Locale.ROOT));
            if (name == null) {
                unknown(place, typed, List.copyOf(known.values()));
            } else if (fields.has(name)) {
                faults.add(place + typed, "is set twice, in different spellings");
            } else {
                String inside = place + name + ".";
                fields.set(
                        name,
                        field.getValue().isObject() && !known(inside).isEmpty()
                                ? spelt(field.getValue(), inside)
                                : field.getValue());
            }
        });
        return fields;
    }

    /** The names that are known at a place, by their lower case. */
    private Map<String, String> known(String place) {
        Map<String, String> names = new LinkedHashMap<>();
        sections.stream()
                .flatMap(section -> section.keys().stream())
                .filter(key -> key.name().startsWith(place))
                .map(key -> key.name().substring(place.length()).split("\\.", 2)[0])
                .forEach(name -> names.put(name.toLowerCase(Locale.ROOT), name));
        return names;
    }

    private void unknown(String place, String typed, List<String> known) {
        if (!place.isEmpty() && isStrict(place)) {
            faults.add(place + typed, "unknown key, must be one of " + String.join(", ", known));
        } else if (!place.isEmpty() || !PassedOverKeys.contains(typed)) {
            Optional<String> meant = Nearest.to(typed, known);
            warnings.add(InputFault.line(file + ": " + place + typed + ": unknown key, ignored"
                    + meant.map(name -> "; did you mean " + place + name + "?").orElse("")));
        }
    }

    private boolean isStrict(String place) {
        return sections.stream()
                .filter(Section::isStrict)
                .flatMap(section -> section.keys().stream())
                .anyMatch(key -> key.name().startsWith(place));
    }
}
